import { describe, expect, it } from 'vitest';
import { namedSpeakers } from '../../../../../domain/language/query/speakers.ts';
import { wordsOf } from '../../../../../domain/language/words/words.ts';

const named = (q: string): string[] => [...namedSpeakers(q, wordsOf(q), ['user', 'assistant']).named];

describe('an assistant', () => {
  it.each([
    'What did you recommend against the noise?',
    'Which library had you suggested?',
    'Have you ever told me how hot the oven must be?',
    'The recipe you gave me, how much flour does it take?',
    'Remind me of the steps you originally listed',
    'How long does your suggestion for the roof last?',
    'What was in your second draft?',
    'Was hast du mir empfohlen?',
    '¿Qué tipo de harina recomendaste tú?',
    '你推荐了什么？',
  ])('is named by what the one who is spoken to did or gave: %s', q => {
    expect(named(q)).toContain('assistant');
  });

  it.each([
    'Can you list the order in which the rooms were painted?',
    'How would you suggest setting up the greenhouse?',
    'Could you give me a summary of the trip?',
    'Do you know when the train leaves?',
    'What do you think of the plan?',
    'Would you remind me when the course starts?',
    'Please tell me how you can help with the flat',
    'Kannst du die Zutaten aufzählen?',
    'Peux-tu résumer le voyage ?',
    '你能列出名字吗？',
  ])('is not named by who is asked for an answer: %s', q => {
    expect(named(q)).not.toContain('assistant');
  });

  it('leaves the user to the first person', () => {
    expect(named('Can you tell me where I left my keys?')).toEqual(['user']);
  });
});
