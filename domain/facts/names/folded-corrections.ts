/** Folds what corrections of names say by themselves, whichever labels were read. */

import type { EntityCorrected } from '../../../schemas/events/curation/correction.ts';
import { normaliseLabel } from '../../extraction/names/label.ts';
import { madeOnce } from '../made-once.ts';
import { withOwnNames } from './own-names.ts';

type SaidOfNames = Omit<EntityCorrected, 'user_id'>;

/** The last correction about two normalised labels: they are one, or they are two. */
type Said = (one: string, other: string) => 'one' | 'apart' | undefined;

interface FoldedCorrections {
  relate: Said;
  links: ReadonlyMap<string, string>;
  /** The spelling of the labels that they name, by normalised label. */
  spelled: ReadonlyMap<string, string>;
  /** The label that was given last, by normalised label. */
  own: ReadonlyMap<string, string>;
}

/** Normalises a label. */
type Normalise = (label: string) => string;

/** The same labels come in many corrections, and in each of the folds. */
const normaliseOnce = (): Normalise => {
  const known = new Map<string, string>();
  return label => {
    const before = known.get(label);
    if (before !== undefined) return before;
    const normalised = normaliseLabel(label);
    known.set(label, normalised);
    return normalised;
  };
};

export const foldCorrections = madeOnce((given: readonly SaidOfNames[]): FoldedCorrections => {
  const corrections = withOwnNames(given);
  const normalise = normaliseOnce();
  const relate = relationOf(corrections, normalise);
  return {
    relate,
    links: linksOf(corrections, askedOnce(relate), normalise),
    spelled: spelledIn(corrections, normalise),
    own: ownLabels(corrections, normalise),
  };
});

/** The same lookup, cached: comparing two groups asks for all pairs of their names, again and again. */
export const askedOnce = (relate: Said): Said => {
  const known = new Map<string, Map<string, ReturnType<Said>>>();
  return (one, other) => {
    const ofOne = known.get(one) ?? new Map<string, ReturnType<Said>>();
    known.set(one, ofOne);
    if (!ofOne.has(other)) ofOne.set(other, relate(one, other));
    return ofOne.get(other);
  };
};

/** Returns the two sides of a correction that says whether they are one. */
const sidesOf = ({ entity, merge_into, split, names, into_names }: SaidOfNames): [string[], string[]] =>
  merge_into === null
    ? [split, names]
    : [
        [entity, ...names],
        [merge_into, ...into_names],
      ];

/** Returns the lookup of the last correction that names both labels, on different sides. */
const relationOf = (corrections: readonly SaidOfNames[], normalise: Normalise): Said => {
  const sides = new Map<string, Map<number, 0 | 1>>();
  corrections.forEach((correction, at) => {
    sidesOf(correction).forEach((names, side) => {
      for (const name of names) {
        const key = normalise(name);
        const known = sides.get(key) ?? new Map<number, 0 | 1>();
        sides.set(key, known.set(at, side as 0 | 1));
      }
    });
  });
  return (one, other) => {
    const [some, others] = [sides.get(one), sides.get(other)];
    if (!some || !others) return undefined;
    let last = -1;
    for (const [at, side] of some) if (at > last && others.has(at) && others.get(at) !== side) last = at;
    if (last < 0) return undefined;
    return corrections[last]!.merge_into === null ? 'apart' : 'one';
  };
};

/** Returns the merges that stand: for a normalised label, the one that it was merged into. */
const linksOf = (
  corrections: readonly SaidOfNames[],
  said: Said,
  normalise: Normalise,
): Map<string, string> => {
  const links = new Map<string, string>();
  const walk = (from: string): string => {
    let at = from;
    for (let next = links.get(at); next !== undefined; next = links.get(at)) at = next;
    return at;
  };
  for (const { entity, merge_into, names } of corrections) {
    if (merge_into === null) {
      // A name merged through a label that is now set apart stays with the names it was left with.
      const to = normalise(entity);
      const root = walk(to);
      for (const name of names.map(normalise))
        if (!links.has(name) && name !== root && said(name, to) === 'one') links.set(name, to);
      continue;
    }
    const [from, to] = [normalise(entity), normalise(merge_into)];
    if (from === to || said(from, to) !== 'one') continue;
    links.delete(from);
    // This undoes a merge in the opposite direction: both labels are now listed under this one.
    if (walk(to) === from) links.delete(to);
    links.set(from, to);
  }
  return links;
};

const spelledIn = (corrections: readonly SaidOfNames[], normalise: Normalise): Map<string, string> => {
  const known = new Map<string, string>();
  for (const correction of corrections)
    for (const name of sidesOf(correction).flat()) known.set(normalise(name), name);
  return known;
};

const ownLabels = (corrections: readonly SaidOfNames[], normalise: Normalise): Map<string, string> => {
  const own = new Map<string, string>();
  for (const { entity, merge_into, label } of corrections) {
    if (label === null) continue;
    const key = normalise(merge_into ?? entity);
    own.delete(key);
    own.set(key, label);
  }
  return own;
};
