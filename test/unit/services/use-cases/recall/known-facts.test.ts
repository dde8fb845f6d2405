import { describe, expect, it } from 'vitest';
import { missingKeys } from '../../../../../services/use-cases/recall/hits/known-facts.ts';

const known = (attribute: string) =>
  ({ user: 'ada', fact: { attribute, subjectId: 'ent_1', subject: 'Ada', value: 'x' } }) as never;
const only = (subjectId: string): readonly string[] => [subjectId];
const keysOf = (facts: readonly string[], read: readonly string[] = []): string[] =>
  missingKeys(facts.map(known), read.map(known), only).map(({ key }) => key);

describe('the keys that a recall reads beside the best turns', () => {
  /** Switched off by hand: without `decidedTogether` → the subscription that ended the gym is missing. */
  it('are those of the facts, and then of all that is decided with them', () => {
    expect(keysOf(['gym', 'home'])).toEqual([
      'gym/ent_1',
      'home/ent_1',
      'subscription/ent_1',
      'membership/ent_1',
    ]);
  });

  it('are no keys that were read already', () => {
    expect(keysOf(['gym'], ['subscription'])).toEqual(['gym/ent_1', 'membership/ent_1']);
  });
});
