import { holdsOne } from '../attributes.ts';
import { type People, type Person, peopleOf } from '../names/people.ts';
import { factKey } from '../stored-fact.ts';
import { decidedTogether } from '../values/slots.ts';
import { correctionsById } from './corrections.ts';
import type { Dated, Fact, Period } from './dated-facts.ts';
import { slotIn } from './placed.ts';
import { standingTime } from './standing-time.ts';
import { holding, whatHeld } from './what-holds.ts';

/** The fate of a fact that no longer holds. */
export interface Superseded<T extends Dated = Dated> {
  /** The observation of the current value; without one, the observation that ended the fact. */
  by: T;
  /** Unix milliseconds; undefined for a corrected sentence that states no fact about a subject. */
  until: number | undefined;
}

/** The current and the superseded facts among those that were read. */
export interface Standing<T extends Dated = Dated> {
  /** By the ids of the observations whose facts no longer hold. */
  superseded: ReadonlyMap<string, Superseded<T>>;
  /** By the ids of the observations whose facts are in doubt: those that say otherwise. */
  disputed: ReadonlyMap<string, readonly string[]>;
  /** By `keyOf`; of values of which one holds at a time, the likeliest first. */
  holding: ReadonlyMap<string, readonly Period<T>[]>;
  /** The person that a fact is of. */
  personOf(one: Fact<T>): Person;
  /** The key of an attribute of a person. */
  keyOf(one: Fact<T>): string;
}

/**
 * Decides which facts hold at a moment. In facts of one user's partition, names of one person are one subject
 * (people.ts).
 *
 * @param moment Unix milliseconds
 * @param corrections of any of the facts, or of other observations
 * @param people of whom the facts are
 */
export const standingOf = <T extends Dated>(
  facts: readonly Fact<T>[],
  moment: number,
  corrections: readonly T[] = [],
  people: Pick<People, 'of'> = peopleOf(facts),
): Standing<T> => {
  const personOf = (one: Fact): Person => people.of(one);
  const keyOf = (one: Fact): string =>
    factKey({ attribute: one.fact.attribute, subjectId: personOf(one).id });
  const decidedIn = (one: Fact): string =>
    factKey({ attribute: decidedTogether(one.fact.attribute)[0]!, subjectId: personOf(one).id });
  const corrected = correctionsById(corrections);
  /** Follows a chain of corrections to its last one. */
  const latest = (by: T): T => {
    let last = by;
    const seen = new Set<string>();
    for (let next = corrected.get(by.id); next && !seen.has(next.id); next = corrected.get(next.id)) {
      seen.add(next.id);
      last = next;
    }
    return last;
  };
  const superseded = new Map<string, Superseded<T>>(
    [...corrected].map(([id, by]) => [id, { by: latest(by), until: undefined }]),
  );
  const disputed = new Map<string, readonly string[]>();
  const held = new Map<string, readonly Period<T>[]>();
  for (const [, ofKey] of Map.groupBy(facts, decidedIn)) {
    const { periods, cancelled } = whatHeld<T>(ofKey, moment, corrected);
    const now = likeliestFirst(holding(periods));
    for (const [key, [one]] of Map.groupBy(ofKey, keyOf)) {
      const ofAttribute = now.filter(({ said }) => said[0].fact.attribute === one!.fact.attribute);
      if (ofAttribute.length > 0) held.set(key, ofAttribute);
    }
    for (const { said, disputedBy } of now)
      if (disputedBy.length > 0)
        for (const { id } of said)
          disputed.set(
            id,
            disputedBy.map(other => other.id),
          );
    const bySlot = new Map(now.toReversed().map(one => [one.slot, one]));
    const holds = new Set(now.map(valueIn));
    for (const period of periods) {
      const { said, until, endedBy } = period;
      if (until === undefined) continue;
      // A value that ended once but is current again isn't superseded.
      if (holds.has(valueIn(period))) continue;
      const by = bySlot.get(period.slot)?.said[0] ?? endedBy;
      if (by) for (const { id } of said) superseded.set(id, { by: latest(by), until });
    }
    for (const [id, by] of cancelled) superseded.set(id, { by: latest(by), until: by.timestamp });
    for (const { id, by, until } of overtaken<T>(ofKey, now)) superseded.set(id, { by, until });
  }
  return { superseded, disputed, holding: held, personOf, keyOf };
};

/** Values that hold beside others come last. */
const likeliestFirst = <T extends Dated>(now: readonly Period<T>[]): Period<T>[] =>
  now.toSorted((a, b) => Number(a.isBeside) - Number(b.isBeside));

const valueIn = ({ slot, valueId }: Period): string => `${slot}\n${valueId}`;

/**
 * Returns what a newer value makes obsolete of denials and of what was once so: once there is another
 * employer, "I quit" no longer answers where somebody works.
 */
const overtaken = <T extends Dated>(
  facts: readonly Fact<T>[],
  now: readonly Period<T>[],
): { id: string; by: T; until: number }[] =>
  facts.flatMap(({ id, fact, timestamp }) => {
    const wasSo = fact.stance === 'was';
    if (!(fact.ended || wasSo) || fact.stance === 'plan' || !holdsOne(fact.attribute)) return [];
    const stands = standingTime(fact, timestamp) ?? timestamp;
    const { slot } = slotIn(fact);
    const by = now.find(one => one.slot === slot && (wasSo || stands <= one.from));
    return by ? [{ id, by: by.said[0], until: by.validFrom ?? by.said[0].timestamp }] : [];
  });
