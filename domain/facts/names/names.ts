/**
 * Decides which names in a user's partition are one entity, and the label of each: from the labels read, the
 * rules (aliases.ts) and corrections. A correction beats a rule, and a later one an earlier one. Pure, so
 * that a list, a recall and a replay decide alike.
 */

import type { EntityCorrected } from '../../../schemas/events/curation/correction.ts';
import { normaliseLabel } from '../../extraction/names/label.ts';
import { type Alias, type AliasRule, aliasesOf, type Mentioned } from './aliases.ts';
import { askedOnce, foldCorrections } from './folded-corrections.ts';
import { kinIn } from './kin.ts';
import { type Groups, makeGroups } from './name-groups.ts';

/** A correction of a user's names, as its event has it. */
export type SaidOfNames = Omit<EntityCorrected, 'user_id'>;

/** A label that was read. Rules merge persons only; corrections merge any labels. */
export interface NamedLabel extends Mentioned {
  isPerson: boolean;
}

export type NameRule = AliasRule | 'correction';

/** The entity that a label stands for. */
export interface Standing {
  /** The normalised label of the entity. */
  key: string;
  /** The entity's display label. */
  label: string;
  /** The evidence, for a label that stands for another: the rule, and the label that was matched. */
  rule?: NameRule;
  matched?: string;
}

export interface Names {
  /** By normalised label; labels that stand for themselves and are shown as spelled have no entry. */
  readonly standing: ReadonlyMap<string, Standing>;
  /** The last correction about two labels: they are one, or they are two. */
  said(one: string, other: string): 'one' | 'apart' | undefined;
  /** Returns the normalised label that a correction merged this one into. */
  mergedInto(key: string): string | undefined;
}

/** Allowed targets of a merge: entities that were read, or also those that only a correction names. */
type Into = 'read' | 'any';

/**
 * @param labels of one user's partition, in any order
 * @param given corrections, in the order in which they were recorded
 * @param into `read` if an entity that isn't among the labels may not be shown
 */
export const namesOf = (
  labels: readonly NamedLabel[],
  given: readonly SaidOfNames[],
  into: Into = 'read',
): Names => {
  const persons = labels.filter(({ isPerson }) => isPerson);
  if (given.length === 0) return byRules(aliasesOf(persons));
  const { relate, links, spelled, own } = foldCorrections(given);
  const said = askedOnce(relate);
  const groups = makeGroups(links);
  const isApart = (one: string, other: string): boolean =>
    groups.some(one, other, (a, b) => said(a, b) === 'apart');
  const rules = new Map<string, { rule: AliasRule; matched: string }>();
  for (const [key, { rule, matched }] of outwards(aliasesOf(persons, isApart, groups.rootOf))) {
    const target = normaliseLabel(matched);
    const root = groups.rootOf(key);
    // A correction beats a rule.
    if (root !== key || groups.rootOf(target) === root || isApart(key, target)) continue;
    groups.join(key, target);
    rules.set(key, { rule, matched });
  }
  const read = new Map(
    [...namesOfKin(persons, groups.rootOf), ...labels].map(one => [normaliseLabel(one.label), one]),
  );
  const shown = shownLabels(own, {
    groups,
    rules,
    spelled: key => read.get(key)?.label ?? spelled.get(key) ?? key,
  });
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

/** Returns the names that are said with a relation alone: "my brother Alex". */
const namesOfKin = (persons: readonly NamedLabel[], rootOf: Groups['rootOf']): NamedLabel[] =>
  kinIn(persons, rootOf).kin.names.map(one => ({ ...one, isPerson: true }));

/** Sorts aliases by distance from the root: a label then joins the complete group of its match. */
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

/** Returns display labels: the last that a correction gave, or a name that a rule merged. */
const shownLabels = (
  own: ReadonlyMap<string, string>,
  {
    groups,
    rules,
    spelled,
  }: { groups: Groups; rules: ReadonlyMap<string, { matched: string }>; spelled: (key: string) => string },
): ((key: string) => string) => {
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
