import { holdsOne } from '../attributes.ts';
import { type People, type Person, peopleOf } from '../names/people.ts';
import { factKey } from '../stored-fact.ts';
import { decidedTogether } from '../values/slots.ts';
import { correctionsById } from './corrections.ts';
import type { Dated, Fact, Period } from './dated-facts.ts';
import { foldedAgain } from './folded-again.ts';
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
  const keyOf = (one: Fact): string => keysOf(one).key;
  const decidedIn = (one: Fact): string => keysOf(one).decidedIn;
  const keysOf = makeKeysOf(personOf);
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
    const found = concluded(ofKey, moment, corrected) as unknown as Concluded<T>;
    for (const [one, ofAttribute] of found.holding) held.set(keyOf(one), ofAttribute);
    for (const [id, others] of found.disputed) disputed.set(id, others);
    if (corrected.size > 0)
      for (const [id, { by, until }] of found.ended) superseded.set(id, { by: latest(by), until });
    else for (const [id, by] of found.ended) superseded.set(id, by);
    for (const [id, by] of found.overtaken) superseded.set(id, by);
  }
  return { superseded, disputed, holding: held, personOf, keyOf };
};

/**
 * Returns a function from a fact to the key of its person's attribute, and to the key of what is decided
 * together with it. Most facts are of few attributes of few persons.
 */
const makeKeysOf = (personOf: (one: Fact) => Person) => {
  const known = new Map<Person, Map<string, { key: string; decidedIn: string }>>();
  return (one: Fact): { key: string; decidedIn: string } => {
    const { attribute } = one.fact;
    const person = personOf(one);
    const ofPerson = known.get(person) ?? new Map();
    if (ofPerson.size === 0) known.set(person, ofPerson);
    const before = ofPerson.get(attribute);
    if (before) return before;
    const { id: subjectId } = person;
    const keys = {
      key: factKey({ attribute, subjectId }),
      decidedIn: factKey({ attribute: decidedTogether(attribute)[0]!, subjectId }),
    };
    ofPerson.set(attribute, keys);
    return keys;
  };
};

/** The fates of the facts that are decided together, and the values that hold. */
interface Concluded<T extends Dated> {
  /** By the first fact of each attribute. */
  holding: ReadonlyMap<Fact<T>, readonly Period<T>[]>;
  disputed: ReadonlyMap<string, readonly string[]>;
  /** By their ids: the observations that ended or cancelled them, corrected or not. */
  ended: ReadonlyMap<string, Superseded<T> & { until: number }>;
  overtaken: ReadonlyMap<string, Superseded<T>>;
}

const conclude = <T extends Dated>(
  facts: readonly Fact<T>[],
  moment: number,
  corrections: ReadonlyMap<string, T>,
): Concluded<T> => {
  const { periods, cancelled } = whatHeld<T>(facts, moment, corrections);
  const now = likeliestFirst(holding(periods));
  const held = new Map<Fact<T>, readonly Period<T>[]>();
  for (const [attribute, [one]] of Map.groupBy(facts, ({ fact }) => fact.attribute)) {
    const ofAttribute = now.filter(({ said }) => said[0].fact.attribute === attribute);
    if (ofAttribute.length > 0) held.set(one!, ofAttribute);
  }
  const disputed = new Map<string, readonly string[]>();
  for (const { said, disputedBy } of now) {
    const others = disputedBy.map(({ id }) => id);
    if (others.length > 0) for (const { id } of said) disputed.set(id, others);
  }
  const bySlot = new Map(now.toReversed().map(one => [one.slot, one]));
  const holds = new Set(now.map(valueIn));
  const ended = new Map<string, { by: T; until: number }>();
  for (const period of periods) {
    const { said, until, endedBy } = period;
    if (until === undefined) continue;
    // A value that ended once but is current again isn't superseded.
    if (holds.has(valueIn(period))) continue;
    const by = bySlot.get(period.slot)?.said[0] ?? endedBy;
    if (by) for (const { id } of said) ended.set(id, { by, until });
  }
  for (const [id, by] of cancelled) ended.set(id, { by, until: by.timestamp });
  const past = overtaken<T>(facts, now).map(({ id, by, until }) => [id, { by, until }] as const);
  return { holding: held, disputed, ended, overtaken: new Map(past) };
};
const concluded = foldedAgain<Dated, Concluded<Dated>>(conclude);

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
