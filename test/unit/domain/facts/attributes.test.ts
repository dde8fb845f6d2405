import { describe, expect, it } from 'vitest';
import { attributesAskedFor, favouriteOf, holdsOne } from '../../../../domain/facts/attributes.ts';
import { ATTRIBUTES } from '../../../../domain/facts/table.ts';

const ASKS: readonly (readonly [question: string, ...attributes: string[]])[] = [
  ['Where do I live?', 'home'],
  ['Where does my sister live?', 'home'],
  ['Which city is Ben based in now?', 'home'],
  ["Who is Ada's boss?", 'boss'],
  ["Who's my manager now?", 'boss'],
  ['What does Ben do for work?', 'job', 'employer'],
  ['What do I do for a living?', 'job'],
  ['Where does Ada work?', 'employer'],
  ['Do I still work at Acme?', 'employer'],
  ['Am I still vegan?', 'diet'],
  ["What's my name?", 'name'],
  ['When is my birthday?', 'birthday'],
  ['How old is Ben?', 'age'],
  ['Who is Tom married to?', 'partner', 'relationship_status'],
  ['Is Ada married?', 'relationship_status'],
  ['Am I dating anyone?', 'partner'],
  ['What car do I drive?', 'vehicle'],
  ['What am I allergic to?', 'allergy'],
  ['What instrument do I play?', 'instrument'],
  ["What's my favorite color?", 'favourite_colour'],
  ['What are my plans for June?', 'plan'],
  ['Do I have any pets?', 'pet'],
  ['What phone do I have?', 'phone_model'],
  ["What's my phone number?", 'phone'],
  ['What language does Ana speak?', 'language'],
  ['What does Ada study?', 'studies'],
  ['Which gym do I go to?', 'gym'],
  ['What medication do I take?', 'medication'],
  ["What is Ben's email?", 'email'],
];

/** Questions that ask for no attribute, and what is no question. */
// biome-ignore format: one table
const ASKS_NONE = [
  'What did we talk about yesterday?', "What's the capital of France?", 'How do I fix this bug?', 'Did Caroline go to the museum?', 'What books has Melanie read?', 'What time is it?',
  'What should I cook tonight?', 'I live in Porto.', 'My boss is Ana.', '', '?', 'When did they go hiking?', 'Summarise our last meeting.',
];

describe('attributes asked for', () => {
  it.each(ASKS)('%s', (question, ...attributes) => {
    expect(attributesAskedFor(question)).toEqual(attributes);
  });

  it.each(ASKS_NONE)('none by "%s"', question => {
    expect(attributesAskedFor(question)).toEqual([]);
  });
});

describe('the table', () => {
  it('names each attribute once, in snake case', () => {
    const names = ATTRIBUTES.map(({ name }) => name);
    expect(names.length).toBeGreaterThanOrEqual(40);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z]+(?:_[a-z]*)*$/);
  });

  it('says which hold one value at a time', () => {
    expect(['home', 'employer', 'boss', 'partner', 'diet', 'favourite_colour'].every(holdsOne)).toBe(true);
    expect(['pet', 'child', 'allergy', 'plan', 'shoe_lace', ''].some(holdsOne)).toBe(false);
  });

  it('spells favourites in one way', () => {
    expect(favouriteOf('color')).toBe(favouriteOf('colour'));
    expect(favouriteOf('ice cream')).toBe('favourite_ice_cream');
  });
});
