/** A filter as indices evaluate it: on the terms of a record's metadata (terms.ts). */
import { hash } from 'node:crypto';
import type { Filter, FilterLeaf } from '../../schemas/http/queries/filter.ts';
import { parseInstant } from '../../schemas/http/queries/instant.ts';
import { compareText } from './compare-text.ts';
import {
  booleanTerm,
  boundsOf,
  boundsOfKey,
  type Comparable,
  instantTerm,
  NO_TERMS,
  numberTerm,
  textTerm,
} from './terms.ts';

/** One of these terms, any term in a range, or a combination; plain data, to pass between threads. */
export type Condition =
  | { op: 'terms'; terms: readonly string[] }
  | { op: 'range'; from: string; hasFrom: boolean; to: string; hasTo: boolean }
  | { op: 'all' | 'any'; of: readonly Condition[] }
  | { op: 'not'; of: Condition };

/** @param filter validated */
const conditionOf = (filter: Filter): Condition => {
  if ('all' in filter) return { op: 'all', of: filter.all.map(conditionOf) };
  if ('any' in filter) return { op: 'any', of: filter.any.map(conditionOf) };
  if ('not' in filter) return { op: 'not', of: conditionOf(filter.not) };
  return ofLeaf(filter);
};

const ofLeaf = (leaf: FilterLeaf): Condition => {
  const { key } = leaf;
  if ('eq' in leaf) return { op: 'terms', terms: [equalTerm(key, leaf.eq)] };
  if ('in' in leaf) return { op: 'terms', terms: [...new Set(leaf.in.map(one => equalTerm(key, one)))] };
  if ('exists' in leaf) {
    const [from, to] = boundsOfKey(key);
    const there: Condition = { op: 'range', from, hasFrom: true, to, hasTo: false };
    return leaf.exists ? there : { op: 'not', of: there };
  }
  if ('gt' in leaf) return above(key, leaf.gt, false);
  if ('gte' in leaf) return above(key, leaf.gte, true);
  if ('lt' in leaf) return below(key, leaf.lt, false);
  return below(key, leaf.lte, true);
};

const equalTerm = (key: string, value: string | number | boolean): string => {
  if (typeof value === 'string') return textTerm(key, value);
  return typeof value === 'number' ? numberTerm(key, value) : booleanTerm(key, value);
};

/**
 * Returns the type and term by which a value is compared: a timestamp only with instants, another text with
 * texts.
 */
const comparedAs = (key: string, value: string | number): [type: Comparable, term: string] => {
  if (typeof value === 'number') return ['number', numberTerm(key, value)];
  const at = parseInstant(value);
  return at === undefined ? ['text', textTerm(key, value)] : ['instant', instantTerm(key, at)];
};

const above = (key: string, value: string | number, hasFrom: boolean): Condition => {
  const [type, from] = comparedAs(key, value);
  return { op: 'range', from, hasFrom, to: boundsOf(key, type)[1], hasTo: false };
};

const below = (key: string, value: string | number, hasTo: boolean): Condition => {
  const [type, to] = comparedAs(key, value);
  return { op: 'range', from: boundsOf(key, type)[0], hasFrom: true, to, hasTo };
};

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
