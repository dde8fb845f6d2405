import { describe, expect, it } from 'vitest';
import { makeRulesExtractor } from '../../../../domain/extraction/extract.ts';
import { voicesIn } from '../../../../domain/extraction/voice/own-words.ts';

const extract = makeRulesExtractor();
const factsOf = (text: string): string[] =>
  extract({ role: 'user', text, timestamp: Date.UTC(2024, 4, 15) }).observations.flatMap(({ fact }) =>
    fact === undefined ? [] : [`${fact.attribute} = ${fact.value}`],
  );

/** A first person that is somebody else, or nobody. */
const OTHERS: readonly (readonly [kind: string, text: string])[] = [
  ['a quotation', 'He said "I am allergic to dust."'],
  [
    'a mail to polish',
    'Can you polish this mail? "Dear Ms Lindqvist, I have worked at Volvo for ten years. My phone number is 555-0100."',
  ],
  [
    'an article to summarize',
    'Summarize: "I moved to Chile in 1998," says painter Rosa Vidal. "I am allergic to dust."',
  ],
  ['a text to translate', 'Translate to French: I live in Rome and my name is Carlo.'],
  ['a text that follows', 'Please proofread the following text.\nI live in Rome. My name is Carlo.'],
  ['a role', 'Let us role-play. I am a knight and I live in a castle. My name is Gawain.'],
  ['a pretence', "Pretend you're a sailor. I live in Porto and I work at Acme."],
  ['a story', 'Write a story: I am a baker in Lyon and my name is Pierre.'],
  ['what somebody wrote', 'The recruiter wrote: I work at Meta and my name is Sam.'],
  ['a block quote', "> I live in Chile\nThat's what he wrote."],
  [
    'a tool result',
    '[{"type":"tool_result","tool_use_id":"t1","content":"I live in Lima and my name is Ann"}]',
  ],
  ['data in a sentence', 'It returned {"note": "I live in Lima"} again.'],
  ['a memory block', '<memories>\n- My name is Bo.\n- I like tea.\n</memories>\nWhat should I cook?'],
  ['code', '```python\n# I live in Paris\n```'],
  ['a forwarded mail', 'See below.\n---- Forwarded message ----\nI live in Rome.\nMy name is Carlo.'],
  ['a pasted chat', 'Ana: I live in Rome\nBen: I work at Acme\nAna: My name is Ana Keller'],
  ['a log', '2024-05-01 10:00:00 INFO I live in memory'],
  ['wrong grammar', 'Correct my grammar: I has two cat.'],
];

/** The speaker's own words, in the same clothes. */
const OWN: readonly (readonly [text: string, ...facts: string[]])[] = [
  ['I live in Leeds. Can you summarize this article for me?', 'home = Leeds'],
  ['My dog "Rex" is old. I live in Leeds.', 'pet = Rex', 'home = Leeds'],
  ['Write a cover letter for me. I work at Bosch.', 'employer = Bosch'],
  ['Quick note: I moved to Leeds.', 'home = Leeds'],
  ['I played a character once. Anyway, I live in Leeds.', 'home = Leeds'],
  ['I said "no way". I live in Leeds.', 'home = Leeds'],
  ['My role: I work as a nurse.', 'job = nurse'],
];

describe('voices', () => {
  it.each(OTHERS)('takes nothing from %s', (_, text) => {
    expect(factsOf(text)).toEqual([]);
  });

  it.each(OWN)('takes the words of the speaker in "%s"', (text, ...facts) => {
    expect(factsOf(text)).toEqual(facts);
  });

  it('finds names in the words of others', () => {
    const { entities } = extract({
      role: 'user',
      text: 'The recruiter wrote: I work at Volvo with Ana Keller.',
      timestamp: 0,
    });
    expect(entities.map(({ label }) => label)).toEqual(expect.arrayContaining(['Volvo', 'Ana Keller']));
  });

  it('gives the text back where nobody else speaks', () => {
    expect(voicesIn('I live in Leeds.')).toEqual({ own: 'I live in Leeds.', foreign: [] });
  });
});
