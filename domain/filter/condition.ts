/** A filter as indices evaluate it: on the terms of a record's metadata (terms.ts). */
import { hash } from 'node:crypto';
import type { Filter, FilterLeaf } from '../../schemas/http/queries/filter.ts';
import { parseInstant } from '../../schemas/http/queries/instant.ts';
import { compareText } from './compare-text.ts';
import {
  type Bounds,
  booleanTerm,
  boundsOf,
  boundsOfKey,
  boundsOfOthers,
  type Comparable,
  comparableEnd,
  cutTerm,
  NO_TERMS,
  numberTerm,
  SOME_CUT,
  textTerm,
} from './terms.ts';

/** One of these terms, any term in a range, or a combination; plain data, to pass between threads. */
export type Condition =
  | { op: 'terms'; terms: readonly string[] }
  | { op: 'range'; from: string; hasFrom: boolean; to: string; hasTo: boolean }
  | { op: 'all' | 'any'; of: readonly Condition[] }
  | { op: 'not'; of: Condition };

/**
 * A filter says yes, no or, of a value that has no term or can't be compared, that it doesn't know: only yes
 * passes, and `not` turns yes and no round. So a condition is of what a filter says, and has no third value.
 */
type Says = 'yes' | 'no';

/** @param filter validated */
const conditionOf = (filter: Filter, says: Says = 'yes'): Condition => {
  if ('not' in filter) return conditionOf(filter.not, says === 'yes' ? 'no' : 'yes');
  if ('all' in filter)
    return { op: says === 'yes' ? 'all' : 'any', of: filter.all.map(one => conditionOf(one, says)) };
  if ('any' in filter)
    return { op: says === 'yes' ? 'any' : 'all', of: filter.any.map(one => conditionOf(one, says)) };
  return ofLeaf(filter, says);
};

const ofLeaf = (leaf: FilterLeaf, says: Says): Condition => {
  const { key } = leaf;
  if ('exists' in leaf) {
    const there = anyIn(boundsOfKey(key));
    return (says === 'yes') === leaf.exists ? there : noneOf(there, notKept(key));
  }
  const { matching, unknown } = ofValues(leaf);
  return says === 'yes' ? matching : noneOf(matching, ...unknown, notKept(key));
};

/** The condition of a value that matches, and that of one that nobody can tell of. */
interface OfValues {
  matching: Condition;
  unknown: readonly Condition[];
}

const ofValues = (leaf: Exclude<FilterLeaf, { exists: boolean }>): OfValues => {
  const { key } = leaf;
  if ('eq' in leaf) return equal([equalTerm(key, leaf.eq)]);
  if ('in' in leaf) return equal([...new Set(leaf.in.map(one => equalTerm(key, one)))]);
  if ('gt' in leaf) return compared(key, leaf.gt, above(false));
  if ('gte' in leaf) return compared(key, leaf.gte, above(true));
  if ('lt' in leaf) return compared(key, leaf.lt, below(false));
  return compared(key, leaf.lte, below(true));
};

/** Values of two types are not equal, and that is known. */
const equal = (terms: readonly string[]): OfValues => ({ matching: { op: 'terms', terms }, unknown: [] });

const equalTerm = (key: string, value: string | number | boolean): string => {
  if (typeof value === 'string') return textTerm(key, value);
  return typeof value === 'number' ? numberTerm(key, value) : booleanTerm(key, value);
};

type Range = Extract<Condition, { op: 'range' }>;
/** Narrows the bounds of a type's terms to those above or below one. */
type Narrow = (bounds: Bounds, term: string) => Range;

const above =
  (hasFrom: boolean): Narrow =>
  ([, to], from) => ({ op: 'range', from, hasFrom, to, hasTo: false });
const below =
  (hasTo: boolean): Narrow =>
  ([from], to) => ({ op: 'range', from, hasFrom: true, to, hasTo });

/**
 * Compares a timestamp only with instants, another text with texts, and a number with numbers. Values of
 * other types are unknown.
 */
const compared = (key: string, value: string | number, narrow: Narrow): OfValues => {
  const type = comparedAs(value);
  const ranges = boundsOf(key, type).map(bounds => narrow(bounds, bounds[0] + comparableEnd(type, value)));
  return {
    matching: ranges.length === 1 ? ranges[0]! : { op: 'any', of: ranges },
    unknown: boundsOfOthers(key, type).map(anyIn),
  };
};

const comparedAs = (value: string | number): Comparable => {
  if (typeof value === 'number') return 'number';
  return parseInstant(value) === undefined ? 'text' : 'instant';
};

const anyIn = ([from, to]: Bounds): Range => ({
  op: 'range',
  from,
  hasFrom: true,
  to,
  hasTo: false,
});

const noneOf = (...of: readonly Condition[]): Condition => ({ op: 'not', of: { op: 'any', of } });

/** The condition of metadata that may have had values of the key that have no terms. */
const notKept = (key: string): Condition => ({
  op: 'any',
  of: [
    { op: 'terms', terms: [cutTerm(key)] },
    {
      op: 'all',
      of: [
        { op: 'terms', terms: [SOME_CUT] },
        { op: 'not', of: anyIn(boundsOfKey(key)) },
      ],
    },
  ],
});

type Matcher = (terms: readonly string[]) => boolean;

const matchers = new WeakMap<Condition, Matcher>();

/** Whether the metadata passes. @param terms as `termsOf` returns them */
export const passes = (condition: Condition, terms: readonly string[]): boolean => {
  let matcher = matchers.get(condition);
  if (!matcher) {
    matcher = matcherOf(condition);
    matchers.set(condition, matcher);
  }
  return matcher(terms);
};

/** Whether an item passes by the metadata of its write. Without a filter every item passes. */
export const selectedBy =
  (filter: Condition | undefined) =>
  ({ metadata = NO_TERMS }: { metadata?: readonly string[] | undefined }): boolean =>
    filter === undefined || passes(filter, metadata);

const matcherOf = (condition: Condition): Matcher => {
  switch (condition.op) {
    case 'terms': {
      const wanted = new Set(condition.terms);
      return terms => terms.some(term => wanted.has(term));
    }
    case 'range': {
      const { from, hasFrom, to, hasTo } = condition;
      return terms => {
        const first = terms[indexOf(terms, from, hasFrom)];
        if (first === undefined) return false;
        const difference = compareText(first, to);
        return difference < 0 || (hasTo && difference === 0);
      };
    }
    case 'not': {
      const matcher = matcherOf(condition.of);
      return terms => !matcher(terms);
    }
    case 'all': {
      const all = condition.of.map(matcherOf);
      return terms => all.every(matcher => matcher(terms));
    }
    case 'any': {
      const any = condition.of.map(matcherOf);
      return terms => any.some(matcher => matcher(terms));
    }
  }
};

/** Returns the index of the first term that isn't less than `from` or, if not `hasFrom`, is greater. */
const indexOf = (terms: readonly string[], from: string, hasFrom: boolean): number => {
  let low = 0;
  let high = terms.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const difference = compareText(terms[middle]!, from);
    if (difference < 0 || (!hasFrom && difference === 0)) low = middle + 1;
    else high = middle;
  }
  return low;
};

/**
 * Returns lists of terms; metadata that passes has a term of each list. An index looks up the list that
 * leaves the fewest candidates.
 */
export const neededTerms = (condition: Condition): readonly (readonly string[])[] => {
  switch (condition.op) {
    case 'terms':
      return [condition.terms];
    case 'all':
      return condition.of.flatMap(neededTerms);
    case 'any': {
      const each = condition.of.map(one => neededTerms(one)[0]);
      return each.includes(undefined) ? [] : [each.flatMap(terms => terms!)];
    }
    default:
      return [];
  }
};

/** Returns the name of a condition in a cursor: a cursor can't continue a list with another condition. */
export const conditionName = (condition: Condition): string => {
  const known = names.get(condition) ?? hash('sha256', JSON.stringify(condition)).slice(0, 32);
  names.set(condition, known);
  return known;
};
const names = new WeakMap<Condition, string>();

/** Reads the validated filter of a body. */
export const conditionIn = (filter: object | undefined): Condition | undefined =>
  filter && conditionOf(filter as Filter);

/** Reads the validated filter of a query parameter. */
export const conditionInQuery = (filter: string | undefined): Condition | undefined =>
  filter === undefined ? undefined : conditionOf(JSON.parse(filter));
