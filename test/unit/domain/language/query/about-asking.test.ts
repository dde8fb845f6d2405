import { describe, expect, it } from 'vitest';
import { withoutAsking } from '../../../../../domain/language/query/about-asking.ts';
import { fnv1a } from '../../../../../domain/language/words/fnv.ts';
import { stem } from '../../../../../domain/language/words/stems.ts';
import { language } from '../fixture.ts';

const bare = (q: string): string => withoutAsking(q).replace(/\s+/g, ' ').trim();

describe('what a question says of the answer and of the conversation', () => {
  it.each([
    ['Can you list the plants that survived the frost?', 'the plants that survived the frost?'],
    ['Could you please give me a short summary of the kitchen works', 'the kitchen works'],
    ['Summarize the talk with the landlord', 'the talk with the landlord'],
    ['Walk me through the hiring plan', 'the hiring plan'],
    [
      'In which order did the rooms get painted, across our conversations?',
      'In which order did the rooms get painted, ?',
    ],
    ['What did I mention about the violin?', 'What about the violin?'],
    ['Tell me about the order in which I brought up the ferries', 'about the ferries'],
    [
      'Which of the boats we talked about in our last chat leaks?',
      'Which of the boats in our last chat leaks?',
    ],
  ])('is left out: %s', (q, left) => {
    expect(bare(q)).toBe(left);
  });

  it.each([
    'Which list hangs on the fridge?',
    'Where is the summary that Ben wrote?',
    'What was the order of the court?',
    'Did the conversation club meet?',
    'Who explained the engine to Ada?',
    'Give me the wedding guest list from May',
    'Could you share the bank account number Anna sent?',
    'When is my talk in Berlin?',
    'What time is my session with the therapist?',
    'Where is my message from Anna?',
    'How much did I raise for charity?',
    'Who told me about the order in which the courses are served?',
    'Is the printer in order at last?',
  ])('stays where it is what the question is about: %s', q => {
    expect(withoutAsking(q)).toBe(q);
  });

  const stems = (q: string): number[] => [...language.analyseQuery(q, []).stems];
  const hashed = (word: string): number => fnv1a(stem(word));

  it('finds nothing, and what the question is about still does', () => {
    const found = stems('Can you list the ferries that I brought up throughout our conversations?');
    expect(found).toContain(hashed('ferries'));
    expect(found).not.toContain(hashed('list'));
    expect(found).not.toContain(hashed('conversations'));
  });

  it('is all there is of some questions, which keep their words', () => {
    expect(stems('Can you list our conversations?').length).toBeGreaterThan(0);
  });

  it('never leaves function words alone', () => {
    for (const q of ['Can you show me my grocery list again?', 'What is on my messages?'])
      expect(stems(q)).toContain(hashed(q.includes('grocery') ? 'grocery' : 'messages'));
  });
});
