/**
 * Which names of a user's partition are one entity, and what each is shown as: from the labels that were read, the rules
 * (aliases.ts) and what somebody corrected. A correction beats a rule, and a later one an earlier one. Pure, so that a list, a
 * recall and a replay decide alike.
 */

import { normaliseLabel } from '../extraction/label.ts';
import type { SaidOfNames } from '../recall/projection.ts';
import { type Alias, type AliasRule, aliasesOf, type Mentioned } from './aliases.ts';

/** A label that was read. Rules merge persons only; a correction merges what it names. */
export interface NamedLabel extends Mentioned {
  isPerson: boolean;
}

export type NameRule = AliasRule | 'correction';

/** Whom a label stands for. */
export interface Standing {
  /** The normalised label of the entity. */
  key: string;
  /** As it is shown. */
  label: string;
  /** The evidence, where it stands for another one: by which rule, and to which label it was matched. */
  rule?: NameRule;
  matched?: string;
}

export interface Names {
  /** By normalised label: of labels that stand for themselves and are shown as they are spelled there is none. */
  readonly standing: ReadonlyMap<string, Standing>;
  /** Whether somebody said, last, that two labels are one, or that they are two. */
  said(one: string, other: string): 'one' | 'apart' | undefined;
  /** What somebody merged this label into, as it is normalised. */
  mergedInto(key: string): string | undefined;
}

/** Where a label is merged: into what was read, or into an entity that is named in a correction alone. */
type Into = 'read' | 'any';

/**
 * @param labels of one user's partition, whatever their order
 * @param corrections in the order in which they were recorded
 * @param into `read` where an entity that isn't among the labels may not be shown
 */
export const namesOf = (
  labels: readonly NamedLabel[],
  corrections: readonly SaidOfNames[],
  into: Into = 'read',
): Names => {
  const persons = labels.filter(({ isPerson }) => isPerson);
  if (corrections.length === 0) return byRules(aliasesOf(persons));
  const said = relationOf(corrections);
  const links = linksOf(corrections, said);
  const groups = makeGroups(links);
  const isApart = (one: string, other: string): boolean =>
    groups.some(one, other, (a, b) => said(a, b) === 'apart');
  const rules = new Map<string, { rule: AliasRule; matched: string }>();
  for (const [key, { rule, matched }] of outwards(aliasesOf(persons, isApart))) {
    const target = normaliseLabel(matched);
    const root = groups.rootOf(key);
    // What somebody merged goes where they said.
    if (root !== key || groups.rootOf(target) === root || isApart(key, target)) continue;
    groups.join(key, target);
    rules.set(key, { rule, matched });
  }
  const read = new Map(labels.map(one => [normaliseLabel(one.label), one]));
  const shown = shownLabels(corrections, { groups, rules, spelled: spelledIn(corrections, read) });
  const standing = new Map<string, Standing>();
  for (const [root, keys] of Map.groupBy(read.keys(), groups.rootOf)) {
    const key = into === 'any' || read.has(root) ? root : mostSaid(keys, read);
    const label = shown(key);
    for (const one of keys) {
      const matched = (of: string): string => (into === 'any' || read.has(of) ? shown(of) : label);
      const evidence = one === key ? undefined : evidenceOf(one, { links, rules, matched });
      if (one !== key || label !== read.get(one)!.label) standing.set(one, { key, label, ...evidence });
    }
  }
  return { standing, said, mergedInto: key => links.get(key) };
};

/** Whoever was matched comes first, so that each joins all that the other one is by then. */
const outwards = (aliases: ReturnType<typeof aliasesOf>): [string, Alias][] => {
  const depthOf = (key: string): number => {
    const alias = aliases.get(key);
    return alias ? 1 + depthOf(normaliseLabel(alias.matched)) : 0;
  };
  return [...aliases]
    .map(alias => ({ alias, depth: depthOf(alias[0]) }))
    .sort((a, b) => a.depth - b.depth)
    .map(({ alias }) => alias);
};

const byRules = (aliases: ReturnType<typeof aliasesOf>): Names => ({
  standing: new Map(
    [...aliases].map(([one, { canonical, rule, matched }]) => [
      one,
      { key: normaliseLabel(canonical), label: canonical, rule, matched },
    ]),
  ),
  said: () => undefined,
  mergedInto: () => undefined,
});

/** The two sides of a correction that says whether they are one. */
const sidesOf = ({ entity, merge_into, split, names, into_names }: SaidOfNames): [string[], string[]] =>
  merge_into === null
    ? [split, names]
    : [
        [entity, ...names],
        [merge_into, ...into_names],
      ];

/** The last correction that names both, on different sides. */
const relationOf = (corrections: readonly SaidOfNames[]): Names['said'] => {
  const sides = new Map<string, Map<number, 0 | 1>>();
  corrections.forEach((correction, at) => {
    sidesOf(correction).forEach((names, side) => {
      for (const name of names) {
        const key = normaliseLabel(name);
        const known = sides.get(key) ?? new Map<number, 0 | 1>();
        sides.set(key, known.set(at, side as 0 | 1));
      }
    });
  });
  const relate = (one: string, other: string): ReturnType<Names['said']> => {
    const [some, others] = [sides.get(one), sides.get(other)];
    if (!some || !others) return undefined;
    let last = -1;
    for (const [at, side] of some) if (at > last && others.has(at) && others.get(at) !== side) last = at;
    if (last < 0) return undefined;
    return corrections[last]!.merge_into === null ? 'apart' : 'one';
  };
  // Two groups of names are compared by all of their pairs, again and again.
  const known = new Map<string, Map<string, ReturnType<Names['said']>>>();
  return (one, other) => {
    const ofOne = known.get(one) ?? new Map<string, ReturnType<Names['said']>>();
    known.set(one, ofOne);
    if (!ofOne.has(other)) ofOne.set(other, relate(one, other));
    return ofOne.get(other);
  };
};

/** What stands merged: by the normalised label, the one that it was merged into. */
const linksOf = (corrections: readonly SaidOfNames[], said: Names['said']): Map<string, string> => {
  const links = new Map<string, string>();
  const walk = (from: string): string => {
    let at = from;
    for (let next = links.get(at); next !== undefined; next = links.get(at)) at = next;
    return at;
  };
  for (const { entity, merge_into, names } of corrections) {
    if (merge_into === null) {
      // A name that was merged through one that is set apart now stays with those that it was left with.
      const to = normaliseLabel(entity);
      for (const name of names.map(normaliseLabel))
        if (!links.has(name) && name !== walk(to) && walk(name) !== walk(to) && said(name, to) === 'one')
          links.set(name, to);
      continue;
    }
    const [from, to] = [normaliseLabel(entity), normaliseLabel(merge_into)];
    if (from === to || said(from, to) !== 'one') continue;
    links.delete(from);
    // It was merged the other way round, which this undoes: both are listed under this one.
    if (walk(to) === from) links.delete(to);
    links.set(from, to);
  }
  return links;
};

interface Groups {
  rootOf(key: string): string;
  /** From now on the first one's group is the second one's. */
  join(key: string, into: string): void;
  /** Whether any two names of two groups are so. */
  some(one: string, other: string, are: (a: string, b: string) => boolean): boolean;
}

const makeGroups = (links: ReadonlyMap<string, string>): Groups => {
  const roots = new Map<string, string>();
  const members = new Map<string, string[]>();
  const rootOf = (key: string): string => roots.get(key) ?? key;
  const membersOf = (root: string): string[] => members.get(root) ?? [root];
  const join = (key: string, into: string): void => {
    const [from, to] = [rootOf(key), rootOf(into)];
    if (from === to) return;
    const moved = membersOf(from);
    for (const one of moved) roots.set(one, to);
    members.set(to, [...membersOf(to), ...moved]);
    members.delete(from);
  };
  for (const [from, to] of links) join(from, to);
  return {
    rootOf,
    join,
    some: (one, other, are) =>
      membersOf(rootOf(one)).some(a => membersOf(rootOf(other)).some(b => are(a, b))),
  };
};

/** As labels are spelled: by what was read, otherwise by the corrections. */
const spelledIn = (
  corrections: readonly SaidOfNames[],
  read: ReadonlyMap<string, NamedLabel>,
): ((key: string) => string) => {
  const known = new Map<string, string>();
  for (const correction of corrections)
    for (const name of sidesOf(correction).flat()) known.set(normaliseLabel(name), name);
  return key => read.get(key)?.label ?? known.get(key) ?? key;
};

/** What an entity is shown as: the last label that somebody gave it, or a name of it that a rule merged. */
const shownLabels = (
  corrections: readonly SaidOfNames[],
  {
    groups,
    rules,
    spelled,
  }: { groups: Groups; rules: ReadonlyMap<string, { matched: string }>; spelled: (key: string) => string },
): ((key: string) => string) => {
  const own = new Map<string, string>();
  for (const { entity, merge_into, label } of corrections) {
    if (label === null) continue;
    const key = normaliseLabel(merge_into ?? entity);
    own.delete(key);
    own.set(key, label);
  }
  const ofRoots = new Map<string, string>();
  for (const [key, label] of own) {
    let at = key;
    for (let by = rules.get(at); by; by = rules.get(at)) at = normaliseLabel(by.matched);
    if (groups.rootOf(key) === at) ofRoots.set(at, label);
  }
  return key => ofRoots.get(key) ?? own.get(key) ?? spelled(key);
};

const mostSaid = (keys: readonly string[], read: ReadonlyMap<string, NamedLabel>): string =>
  keys.reduce((best, key) => {
    const more = read.get(key)!.mentions - read.get(best)!.mentions;
    return more > 0 || (more === 0 && key < best) ? key : best;
  });

const evidenceOf = (
  key: string,
  {
    links,
    rules,
    matched,
  }: {
    links: ReadonlyMap<string, string>;
    rules: ReadonlyMap<string, { rule: AliasRule; matched: string }>;
    matched: (key: string) => string;
  },
): { rule: NameRule; matched: string } => {
  const link = links.get(key);
  if (link === undefined) {
    const rule = rules.get(key);
    if (rule) return rule;
  }
  return { rule: 'correction', matched: matched(link ?? key) };
};
