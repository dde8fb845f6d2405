import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Fact } from '../../../../../domain/facts/holds/dated-facts.ts';
import { holding, whatHeld } from '../../../../../domain/facts/holds/what-holds.ts';
import { expectProperty } from '../../../../support/properties.ts';
import { fact, on } from '../../../../support/worlds/facts.ts';

const day = fc.integer({ min: 0, max: 120 });
/** Mostly nothing, so that many facts are plain. */
const maybe = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: one });
/** A place to live: one value holds. Days are few, so that many facts meet. */
const said: fc.Arbitrary<Fact> = fc
  .record({
    value: fc.constantFrom('Lyon', 'Porto', 'porto', 'Rome', 'Oslo'),
    day,
    recordedOn: day,
    from: maybe(day),
    until: maybe(day),
    stance: maybe(fc.constantFrom('holds', 'changed', 'plan', 'was')),
    ended: maybe(fc.constant(true as const)),
    certainty: maybe(fc.constantFrom(0.4, 0.8, 1)),
    role: fc.constantFrom('Ada', 'Ada', 'Bob'),
    adds: maybe(fc.constant(true as const)),
    turn: maybe(fc.constantFrom('trn_a', 'trn_b')),
  })
  .map(({ value, day, recordedOn, stance, ended, certainty, adds, turn, from, until, role }) =>
    fact('home', value, day, {
      recordedAt: on(Math.max(day, recordedOn)),
      role,
      ...(from !== undefined && { from }),
      // A said end is later than what it ends was said and began.
      ...(until !== undefined && { until: Math.max(day, from ?? 0) + 1 + until }),
      ...(stance && { stance }),
      ...(ended && { ended }),
      ...(certainty !== undefined && { certainty }),
      ...(adds && { adds }),
      ...(turn && { turn }),
    } as never),
  );
const facts = fc.array(said, { maxLength: 8 });
const moment = day.map(on);

/** Returns the decisions, by the ids of the facts. */
const decided = (all: readonly Fact[], at: number) => {
  const { periods, cancelled } = whatHeld(all, at);
  return {
    periods: periods.map(({ said, until, endedBy, disputedBy, from, validFrom, isBeside, isPlanned }) => ({
      said: said.map(({ id }) => id),
      until,
      endedBy: endedBy?.id,
      disputedBy: disputedBy.map(({ id }) => id).sort(),
      from,
      validFrom,
      isBeside,
      isPlanned,
    })),
    cancelled: [...cancelled].map(([id, by]) => [id, by.id]).sort(),
  };
};

it('holds the same whatever the order in which the facts arrive', () =>
  expectProperty(
    facts.chain(all => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
    moment,
    ([all, shuffled], at) => {
      expect(decided(shuffled, at)).toEqual(decided(all, at));
    },
  ));

it('changes no fact, and decides the same again', () =>
  expectProperty(facts, moment, (all, at) => {
    const before = structuredClone(all);
    const once = decided(all, at);
    expect(decided(all, at)).toEqual(once);
    expect(all).toEqual(before);
  }));

it('says each fact that makes a value in one period, and no denial in any', () =>
  expectProperty(facts, moment, (all, at) => {
    const { periods } = whatHeld(all, at);
    const ids = periods.flatMap(({ said }) => said.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    for (const { fact } of periods.flatMap(({ said }) => said))
      expect(fact.ended && fact.stance !== 'was').toBe(false);
  }));

it('holds one value of what somebody surely says of themselves', () =>
  expectProperty(facts, moment, (all, at) => {
    const sure = all.filter(
      ({ role, fact }) =>
        role === 'Ada' && fact.certainty !== 0.4 && !fact.adds && fact.validUntil === undefined,
    );
    expect(holding(whatHeld(sure, at).periods).length).toBeLessThanOrEqual(1);
  }));

it('ends what it ends not before it began, by a fact that was said', () =>
  expectProperty(facts, moment, (all, at) => {
    const known = new Set(all.map(({ id }) => id));
    for (const { from, until, endedBy, isPlanned } of whatHeld(all, at).periods) {
      // Another one may say that it began earlier: then that is when this one ended.
      if (until !== undefined && until !== endedBy?.fact?.validFrom)
        expect(until).toBeGreaterThanOrEqual(from);
      if (endedBy) expect(known.has(endedBy.id)).toBe(true);
      if (isPlanned) expect(from).toBeGreaterThan(at);
    }
  }));
