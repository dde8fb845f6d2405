import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SAMPLE, SAMPLE_USER } from '../../../console/src/pages/first-visit/sample.ts';
import { budgetAt, LAST_STEP, stepOf } from '../../../console/src/pages/users/context/budgets.ts';
import { bodyOfFact, firstFact } from '../../../console/src/pages/users/known/fact-form.ts';
import { namesIn } from '../../../console/src/pages/users/who/names-in.ts';

const SCOPE = { org_id: 'local', user_id: 'ada' };

describe('a fact that is typed', () => {
  test('is a sentence, if nothing else is', () => {
    expect(bodyOfFact({ ...firstFact, text: ' Grace sings. ' }, SCOPE)).toEqual({
      scope: SCOPE,
      text: 'Grace sings.',
    });
  });

  test('has an attribute as the service spells it', () => {
    const form = {
      text: 'Hers is green.',
      subject: 'Grace ',
      attribute: ' Favourite colour',
      value: 'green',
      since: '2026-02-01',
      session: 'one/two',
    };
    expect(bodyOfFact(form, SCOPE)).toEqual({
      scope: { ...SCOPE, session_id: 'one/two' },
      text: 'Hers is green.',
      subject: 'Grace',
      attribute: 'favourite_colour',
      value: 'green',
      valid_from: '2026-02-01T00:00:00Z',
    });
  });
});

test('names are read a line each, once', () => {
  expect(namesIn(' Ada \n\nAda Lovelace\nAda')).toEqual(['Ada', 'Ada Lovelace']);
  expect(namesIn('')).toEqual([]);
});

test('a budget of an address is the nearest step of the slider, within what the service takes', () => {
  expect([budgetAt(0), budgetAt(LAST_STEP)]).toEqual([50, 8_000]);
  expect(budgetAt(stepOf(790))).toBe(800);
  expect(budgetAt(stepOf(1e9))).toBe(8_000);
  for (const odd of [Number.NaN, -5, 0]) expect(budgetAt(stepOf(odd))).toBe(800);
});

test('the sample is the example of the documentation', () => {
  const lines = readFileSync('docs/example.jsonl', 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  const sample = SAMPLE.flatMap(({ session, turns }) =>
    turns.map(turn => ({ user_id: SAMPLE_USER, session_id: session, ...turn })),
  );
  expect(sample).toEqual(lines);
});
