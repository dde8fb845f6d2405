import { normaliseLabel } from '../extraction/names/label.ts';
import { holdsOne } from './attributes.ts';
import { correctionsById } from './corrections.ts';
import { type Dated, type Fact, normaliseValue, type Period } from './dated-facts.ts';
import { namesOf, type SaidOfNames } from './names/names.ts';
import { factKey, type StoredFact } from './stored-fact.ts';
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
  /** By key, the latest last. */
  holding: ReadonlyMap<string, readonly Period<T>[]>;
}

/** Returns a function that gives a fact's key under the main name of its subject ("Mel" is "Melanie"). */
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
 * Decides which facts hold at a moment. In facts of one user's partition, names of one person are one subject
 * (aliases.ts).
 *
 * @param moment Unix milliseconds
 * @param corrections of any of the facts, or of other observations
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
  const held = new Map<string, readonly Period<T>[]>();
  for (const [, ofKey] of Map.groupBy(facts, ({ fact }) => keyOf(fact))) {
    const periods = whatHeld<T>(ofKey, moment, corrected);
    const now = holding(periods);
    // Current facts are found under every name of their subject.
    if (now.length > 0) for (const { fact } of ofKey) held.set(factKey(fact), now);
    const values = new Set(now.map(normalised));
    for (const period of periods) {
      const { until, endedBy } = period;
      if (until === undefined || !endedBy) continue;
      // A value that ended once but is current again isn't superseded.
      if (values.has(normalised(period))) continue;
      const by = latest(instead(endedBy, now));
      for (const { id } of period.said) superseded.set(id, { by, until });
    }
    for (const denial of overtaken(ofKey, now))
      superseded.set(denial.id, { by: now[0]!.said[0], until: now[0]!.from });
  }
  return { superseded, holding: held };
};

/**
 * Returns denials that a newer value makes obsolete: once there is another employer, "I quit" no longer
 * answers where somebody works.
 */
const overtaken = <T extends Dated>(facts: readonly Fact<T>[], [now]: readonly Period<T>[]): Fact<T>[] =>
  now && holdsOne(now.said[0].fact.attribute)
    ? facts.filter(({ fact }) => fact.ended && fact.validFrom <= now.from)
    : [];

const normalised = ({ said: [{ fact }] }: Period): string => normaliseValue(fact.value);

/**
 * Returns the replacement of an ended fact: the current value if the attribute has one at a time, since the
 * value that followed may itself be old.
 */
const instead = <T extends Dated>(endedBy: T, [now]: readonly Period<T>[]): T =>
  now && holdsOne(now.said[0].fact.attribute) ? now.said[0] : endedBy;
