/** Plain sentences about everyday life and the facts in them, beside others that look alike and have none. */
import { expect, it } from 'vitest';
import { makeRulesExtractor } from '../../../../domain/extraction/extract.ts';

const extract = makeRulesExtractor();
const factsOf = (text: string): string[] =>
  extract({ role: 'user', text, timestamp: Date.parse('2026-03-04T10:00:00Z') }).observations.flatMap(
    ({ fact }) => (fact ? [`${fact.subject}: ${fact.attribute} = ${fact.value}`] : []),
  );

it.each<[text: string, facts: string[]]>([
  ["I'm doing a master's in data science.", ["The user: studies = master's in data science"]],
  ["I'm in my second year at Durham.", ['The user: school = Durham']],
  ['I switched from physics to maths.', ['The user: studies = maths']],
  ['I work at a bar called The Anchor.', ['The user: employer = The Anchor']],
  ['I have a part-time job in a bakery.', ['The user: employer = bakery']],
  ['I work remotely three days a week.', ['The user: work_schedule = remotely three days a week']],
  ['My brother drives a taxi for Swift Cabs.', ["The user's brother: job = taxi driver"]],
  ['Dana is my line manager.', ['The user: boss = Dana']],
  ['My title is senior analyst.', ['The user: job = senior analyst']],
  ['I share a flat with Ines and Jonas.', ['The user: roommate = Ines', 'The user: roommate = Jonas']],
  ["I'm in the choir.", ['The user: membership = choir']],
  ["I've joined the pool at Leisureland.", ['The user: membership = Leisureland']],
  ['I drive an old Fiesta.', ['The user: vehicle = Fiesta']],
  ["I'm flying to Tampere on the 25th.", ['The user: plan = fly to Tampere']],
  ["I'm training for a triathlon.", ['The user: goal = train for a triathlon']],
  ["I've signed up for a marathon in October.", ['The user: goal = run a marathon']],
  ['My hip operation is on the 14th of May.', ['The user: operation = 14 May 2026']],
  ['My sister is a nurse and she works nights.', ["The user's sister: work_schedule = nights"]],
  ["Rex is my labrador, he's seven.", ['Rex: age = 7']],
  ['My sisters Noor and Leila live in Oslo.', ['The user: sibling = Noor', 'The user: sibling = Leila']],
  ["I'm seeing someone, his name's Marek.", ['The user: partner = Marek']],
  ["I'm still in my old house in Ystad.", ['The user: home = Ystad']],
])('%s', (text, facts) => {
  expect(factsOf(text)).toEqual(expect.arrayContaining(facts));
});

it.each([
  'I drive an Uber.',
  'I drive a hard bargain.',
  'I have a job in marketing.',
  "I'm in the club.",
  "I'm going to the dentist on Friday.",
  "I'm going to Anna's on Saturday.",
  "I'm going to bed at 10.",
  "I'm saving for a rainy day.",
  'I changed from maths to the bus.',
  'I went to a bar called The Anchor.',
  'I share a flat with two strangers.',
  'The wedding is on 3 June.',
  'My sister met a nurse and she works nights.',
  'My sisters are loud.',
  'Ben and I are over the moon.',
  "I'm in my garden in the sun.",
  "I'm seeing someone about the roof.",
])('reads no fact in: %s', text => {
  expect(factsOf(text)).toEqual([]);
});

it.each([
  ['Do you still play the saxophone?', 'No, not any more.', ['The user: instrument = saxophone']],
  [
    'Do you still play the saxophone?',
    'No, I gave it up in the summer.',
    ['The user: instrument = saxophone'],
  ],
  ['Do you still have the Golf?', 'No, I sold it.', ['The user: vehicle = Golf']],
  ['Are you still at Acme?', 'No, I left in March.', ['The user: employer = Acme']],
  ['Are you still at the airport?', 'No, I left in a hurry.', []],
])('%s %s', (question, answer, ended) => {
  const before = { role: 'assistant', text: question };
  const timestamp = Date.parse('2026-03-04T10:00:00Z');
  const facts = extract({ role: 'user', text: answer, timestamp, before }).observations.flatMap(
    ({ fact }) => fact ?? [],
  );
  expect(
    facts.filter(fact => fact.ended).map(fact => `${fact.subject}: ${fact.attribute} = ${fact.value}`),
  ).toEqual(ended);
  expect(facts.filter(fact => !fact.ended)).toEqual([]);
});
