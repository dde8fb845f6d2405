import { normaliseLabel } from '../extraction/label.ts';
import type { SaidOfNames } from '../recall/projection.ts';
import { holdsOne } from './attributes.ts';
import { correctionsById } from './corrections.ts';
import { type Dated, type Fact, normaliseValue, type Period } from './dated-facts.ts';
import { namesOf } from './names.ts';
import { factKey, type StoredFact } from './stored-fact.ts';
import { holding, whatHeld } from './what-holds.ts';

/** What became of a fact that no longer holds. */
export interface Superseded<T extends Dated = Dated> {
  /** What holds instead; where nothing does, what says that it has ended. */
  by: T;
  /** Unix milliseconds; undefined for a sentence that was corrected and says nothing of a subject. */
  until: number | undefined;
}

/** What holds and what no longer does, of the facts that were read. */
export interface Standing<T extends Dated = Dated> {
  /** By the ids of the observations that say what no longer holds. */
  superseded: ReadonlyMap<string, Superseded<T>>;
  /** By key, the latest last. */
  holding: ReadonlyMap<string, readonly Period<T>[]>;
}

/** The key of a fact under the name of its subject that stands for all of the others ("Mel" is "Melanie"). */
const makeKeyOf = (facts: readonly Fact[], names: readonly SaidOfNames[]): ((fact: StoredFact) => string) => {
  const mentions = new Map<string, { label: string; subjectId: string; mentions: number }>();
  for (const { fact } of facts) {
    const known = mentions.get(fact.subjectId);
    if (known) known.mentions++;
    else mentions.set(fact.subjectId, { label: fact.subject, subjectId: fact.subjectId, mentions: 1 });
  }
  if (mentions.size < 2) return factKey;
  const labels = [...mentions.values()].map(({ label, mentions }) => ({ label, mentions, isPerson: true }));
  const { standing } = namesOf(labels, names);
  if (standing.size === 0) return factKey;
  const idOf = new Map([...mentions.values()].map(one => [normaliseLabel(one.label), one.subjectId]));
  return fact => {
    const other = standing.get(normaliseLabel(fact.subject));
    const subjectId = (other && idOf.get(other.key)) ?? fact.subjectId;
    return factKey({ attribute: fact.attribute, subjectId });
  };
};

/**
 * Of facts of one user's partition names of one person are one subject (aliases.ts).
 *
 * @param moment Unix milliseconds
 * @param corrections of any of them, or of other observations
 * @param names corrections of the user's names, in the order in which they were recorded
 */
export const standingOf = <T extends Dated>(
  facts: readonly Fact<T>[],
  moment: number,
  corrections: readonly T[] = [],
  names: readonly SaidOfNames[] = [],
): Standing<T> => {
  const keyOf = makeKeyOf(facts, names);
  const corrected = correctionsById(corrections);
  /** What a chain of corrections ends with. */
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
  const held = new Map<string, readonly Period<T>[]>();
  for (const [, ofKey] of Map.groupBy(facts, ({ fact }) => keyOf(fact))) {
    const periods = whatHeld<T>(ofKey, moment, corrected);
    const now = holding(periods);
    // Under the keys of all of its names.
    if (now.length > 0) for (const { fact } of ofKey) held.set(factKey(fact), now);
    const values = new Set(now.map(normalised));
    for (const period of periods) {
      const { until, endedBy } = period;
      if (until === undefined || !endedBy) continue;
      // Who says again what once ended says what holds.
      if (values.has(normalised(period))) continue;
      const by = latest(instead(endedBy, now));
      for (const { id } of period.said) superseded.set(id, { by, until });
    }
    for (const denial of overtaken(ofKey, now))
      superseded.set(denial.id, { by: now[0]!.said[0], until: now[0]!.from });
  }
  return { superseded, holding: held };
};

/** "I quit" is no answer any more to whom somebody works for once there is another employer. */
const overtaken = <T extends Dated>(facts: readonly Fact<T>[], [now]: readonly Period<T>[]): Fact<T>[] =>
  now && holdsOne(now.said[0].fact.attribute)
    ? facts.filter(({ fact }) => fact.ended && fact.validFrom <= now.from)
    : [];

const normalised = ({ said: [{ fact }] }: Period): string => normaliseValue(fact.value);

/** A value that followed may itself be old: what is said instead is what holds, if one value holds at a time. */
const instead = <T extends Dated>(endedBy: T, [now]: readonly Period<T>[]): T =>
  now && holdsOne(now.said[0].fact.attribute) ? now.said[0] : endedBy;
