import { expect, it } from 'vitest';
import { queryCues } from '../../../../../domain/language/query/query-cues.ts';

it.each([
  'Write me a debounce helper',
  'How do I cook rice?',
  'What should I cook tonight?',
  'Could you suggest a present for Grace?',
  'Any tips for sleeping better?',
  "I'm looking for a new pair of shoes",
])('asks for help, where wishes matter: %s', q => {
  expect(queryCues(q).advice).toBe(true);
});

it.each([
  'What did I do last weekend?',
  'When did I move to Lyon?',
  'Where do I work?',
  'Who did I talk to at the party?',
  'When is my flight to Rome?',
])('asks for what was said: %s', q => {
  expect(queryCues(q).advice).toBe(false);
});
