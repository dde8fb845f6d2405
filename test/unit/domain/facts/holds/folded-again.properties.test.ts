import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { correctionsById } from '../../../../../domain/facts/holds/corrections.ts';
import type { Dated, Fact } from '../../../../../domain/facts/holds/dated-facts.ts';
import { foldedAgain } from '../../../../../domain/facts/holds/folded-again.ts';
import { type WhatHeld, whatHeld } from '../../../../../domain/facts/holds/what-holds.ts';
import type { Stance } from '../../../../../schemas/facts.ts';

const DAY = 86_400_000;
const FIRST = Date.UTC(2026, 0, 1);
const at = fc.integer({ min: 0, max: 40 }).map(day => FIRST + day * DAY);

const FACT = fc.record({
  timestamp: at,
  late: fc.integer({ min: 0, max: 3 }),
  value: fc.constantFrom('Oslo', 'Porto', 'Lagos', ''),
  stance: fc.constantFrom<Stance>('holds', 'changed', 'was', 'plan'),
  ended: fc.boolean(),
  validFrom: fc.option(at, { nil: undefined }),
  validUntil: fc.option(at, { nil: undefined }),
  certainty: fc.constantFrom(undefined, 0.5),
  adds: fc.constantFrom(undefined, true as const),
});

type Said = typeof FACT extends fc.Arbitrary<infer One> ? One : never;

const factOf = (said: Omit<Said, 'value'> & { value: string }, n: number): Fact => {
  const { timestamp, late, ...fact } = said;
  return {
    id: `obs_${n}`,
    timestamp,
    recordedAt: timestamp + late * DAY,
    role: 'Ada',
    text: `Ada lives in ${fact.value}.`,
    sourceTurnId: `trn_${n}`,
    fact: { subjectId: 'ent_ada', subject: 'Ada', attribute: 'home', ...fact },
  };
};

describe('a fold that is made again only where it may be another one', () => {
  it('is what the fold makes at any moment, whatever was folded before and corrected since', () => {
    let folds = 0;
    let asked = 0;
    fc.assert(
      fc.property(
        fc.array(FACT, { minLength: 8, maxLength: 14 }),
        fc.array(fc.record({ moment: at, corrected: fc.option(fc.nat(7), { nil: undefined }) }), {
          minLength: 4,
          maxLength: 20,
        }),
        (said, questions) => {
          const facts = said.map(factOf);
          const corrections = facts.map(({ id }, n): Dated => {
            const by = factOf(said[(n + 1) % said.length]!, n + 100);
            return { ...by, corrects: { id, follows: [] } };
          });
          const again = foldedAgain<Dated, WhatHeld<Dated>>((...given) => {
            folds++;
            return whatHeld<Dated>(...given);
          });
          for (const { moment, corrected } of questions) {
            asked++;
            const by = correctionsById(corrected === undefined ? [] : [corrections[corrected]!]);
            expect(again(facts, moment, by)).toEqual(whatHeld<Dated>(facts, moment, by));
          }
        },
      ),
      { numRuns: 300 },
    );
    expect(folds).toBeLessThan(asked);
  });

  it('is made again where a fact is another object', () => {
    const facts = Array.from({ length: 9 }, (_, n) =>
      factOf({ ...PLAIN, timestamp: FIRST + n * DAY, value: `town ${n}` }, n),
    );
    const again = foldedAgain<Dated, WhatHeld<Dated>>(whatHeld);
    const moment = FIRST + 30 * DAY;
    const before = again(facts, moment, new Map());
    expect(again([...facts], moment, new Map())).toBe(before);
    const others = facts.map((one, n) => (n === 8 ? { ...one, fact: { ...one.fact, value: 'Oslo' } } : one));
    expect(again(others, moment, new Map()).periods.at(-1)!.valueId).toBe('oslo');
    expect(again(facts, moment, new Map())).toBe(before);
  });
});

const PLAIN = {
  timestamp: FIRST,
  late: 0,
  value: 'Oslo',
  stance: 'holds' as const,
  ended: false,
  validFrom: undefined,
  validUntil: undefined,
  certainty: undefined,
  adds: undefined,
};
