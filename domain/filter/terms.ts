/**
 * The terms by which indices find a write's metadata. A term is a key, U+0000, one letter for the type, and
 * the value in a form whose UTF-8 bytes sort as the values do: so `eq` is one term, and a comparison is a
 * range of terms.
 */
import { hash } from 'node:crypto';
import { parseInstant } from '../../schemas/http/queries/instant.ts';
import { compareText } from './compare-text.ts';

export type Metadata = Readonly<Record<string, unknown>>;

/** Maximum characters of a dotted key; a longer one has no terms. */
const MOST_KEY = 256;
/** Characters of a text that its term keeps. The bounds of a range are never longer. */
const MOST_TEXT = 256;
/**
 * Maximum bytes of one metadata's terms. Every turn of a write has them, and a write has up to a thousand
 * turns: keys get the terms of their values in their order, as long as there is room.
 */
const MOST_BYTES = 4_096;

/** Ends the key. A key with this character has no terms. */
const END = '\0';

/**
 * The letters of types. A range compares terms of one type. A timestamp has a term as a text and one as an
 * instant. `cut` says that there are more values, and has none, like `emptyArray`, `object` and `null`.
 */
const TYPE = {
  emptyArray: 'a',
  boolean: 'b',
  cut: 'c',
  number: 'n',
  object: 'o',
  timestamp: 'r',
  text: 's',
  instant: 't',
  null: 'z',
};
type Letter = (typeof TYPE)[keyof typeof TYPE];
export type Comparable = 'number' | 'text' | 'instant';
export type Bounds = readonly [from: string, before: string];

const next = (letter: Letter): string => String.fromCharCode(letter.charCodeAt(0) + 1);
const between = (key: string, from: Letter, before: string): Bounds => [key + END + from, key + END + before];

/** The letters of the terms by which a type is compared, in their order. */
const COMPARED: Record<Comparable, readonly Letter[]> = {
  number: [TYPE.number],
  text: [TYPE.timestamp, TYPE.text],
  instant: [TYPE.instant],
};

/** Returns the first possible term of each form of a type, and the end after its last. */
export const boundsOf = (key: string, type: Comparable): readonly Bounds[] =>
  COMPARED[type].map(letter => between(key, letter, next(letter)));

/** Like `boundsOf`, for all terms of a key. */
export const boundsOfKey = (key: string): Bounds => [key + END, `${key}\u0001`];

/** The letters of a value that can be compared as the type; an empty array has no value. */
const KNOWN: Record<Comparable, readonly Letter[]> = {
  number: [TYPE.number],
  text: [TYPE.timestamp, TYPE.text, TYPE.instant],
  instant: [TYPE.timestamp, TYPE.instant],
};

/** Like `boundsOf`, for the values of a key that can't be compared as this type. */
export const boundsOfOthers = (key: string, type: Comparable): readonly Bounds[] => {
  const [, end] = boundsOfKey(key);
  const others: Bounds[] = [];
  let from = key + END + TYPE.boolean;
  for (const letter of KNOWN[type]) {
    const [first, before] = between(key, letter, next(letter));
    if (from !== first) others.push([from, first]);
    from = before;
  }
  return [...others, [from, end]];
};

/** The term of metadata of which not all keys have terms. No key's term is as short. */
export const SOME_CUT = END;
/** The term of a key of which not all values have terms. */
export const cutTerm = (key: string): string => key + END + TYPE.cut;

const bytes = new DataView(new ArrayBuffer(8));

/** Returns sixteen hexadecimal digits that sort as the numbers do. 0 and -0 are one number. */
const sortable = (value: number): string => {
  bytes.setFloat64(0, value === 0 ? 0 : value);
  const bits = bytes.getBigUint64(0);
  const isNegative = bits >> 63n === 1n;
  return BigInt.asUintN(64, isNegative ? ~bits : bits | (1n << 63n))
    .toString(16)
    .padStart(16, '0');
};

/**
 * Shortens a long text and ends it with its digest, so that only equal texts have the same term. Terms of
 * short texts have fewer characters.
 */
const bounded = (text: string): string => {
  if (text.length <= MOST_TEXT) return text;
  const points = Array.from(text.slice(0, 2 * (MOST_TEXT + 1)));
  if (points.length <= MOST_TEXT) return text;
  return points.slice(0, MOST_TEXT).join('') + END + hash('sha256', text).slice(0, 32);
};

/** Returns the end of a term by which a value is compared. @param value of at most `MOST_TEXT` characters */
export const comparableEnd = (type: Comparable, value: string | number): string => {
  if (typeof value === 'number') return sortable(value);
  return type === 'instant' ? sortable(parseInstant(value)!) : value;
};

export const textTerm = (key: string, text: string): string =>
  key + END + (parseInstant(text) === undefined ? TYPE.text : TYPE.timestamp) + bounded(text);
export const numberTerm = (key: string, value: number): string => key + END + TYPE.number + sortable(value);
export const booleanTerm = (key: string, value: boolean): string =>
  key + END + TYPE.boolean + (value ? '1' : '0');
/** @param at Unix milliseconds */
const instantTerm = (key: string, at: number): string => key + END + TYPE.instant + sortable(at);

const isKey = (key: string): boolean =>
  !key.includes(END) && (key.length <= MOST_KEY || Array.from(key).length <= MOST_KEY);

/** The terms of a key, as many as there may be of all. */
interface OfKey {
  terms: Set<string>;
  bytes: number;
  isCut: boolean;
}
type OfKeys = Map<string, OfKey>;

const addTerms = (to: OfKeys, key: string, ...terms: readonly string[]): void => {
  const own = to.get(key) ?? { terms: new Set(), bytes: 0, isCut: false };
  to.set(key, own);
  for (const term of terms) {
    if (own.isCut || own.terms.has(term)) continue;
    own.bytes += Buffer.byteLength(term);
    if (own.bytes > MOST_BYTES) own.isCut = true;
    else own.terms.add(term);
  }
};

/**
 * Adds the terms of a value. Nested values are traversed; each element of an array counts as a value of its
 * key.
 */
const addValue = (to: OfKeys, key: string, value: unknown): void => {
  switch (typeof value) {
    case 'string': {
      const at = parseInstant(value);
      addTerms(to, key, textTerm(key, value), ...(at === undefined ? [] : [instantTerm(key, at)]));
      break;
    }
    case 'number':
      addTerms(to, key, numberTerm(key, value));
      break;
    case 'boolean':
      addTerms(to, key, booleanTerm(key, value));
      break;
    case 'object':
      if (value === null) addTerms(to, key, key + END + TYPE.null);
      else if (Array.isArray(value)) {
        if (value.length === 0) addTerms(to, key, key + END + TYPE.emptyArray);
        for (const one of value) addValue(to, key, one);
      } else {
        addTerms(to, key, key + END + TYPE.object);
        addObject(to, value as Metadata, `${key}.`);
      }
  }
};

const addObject = (to: OfKeys, object: Metadata, prefix: string): void => {
  for (const [name, value] of Object.entries(object)) {
    const key = prefix + name;
    if (isKey(key)) addValue(to, key, value);
  }
};

/** Returns the terms of the first keys, and of the first key that has no room those that have. */
const fitting = (keys: OfKeys): readonly string[] => {
  const terms: string[] = [];
  let room = MOST_BYTES - SOME_CUT.length;
  for (const [key, own] of keys) {
    if (own.isCut || own.bytes > room) return [...terms, ...cut(key, own, room)];
    terms.push(...own.terms);
    room -= own.bytes;
  }
  return terms;
};

/** Returns the terms of a key that fit beside those which say that there are more. */
const cut = (key: string, own: OfKey, room: number): readonly string[] => {
  const isCut = cutTerm(key);
  let left = room - Buffer.byteLength(isCut);
  const kept: string[] = [];
  for (const term of own.terms) {
    left -= Buffer.byteLength(term);
    if (left < 0) break;
    kept.push(term);
  }
  return kept.length === 0 ? [SOME_CUT] : [SOME_CUT, isCut, ...kept];
};

/** Cached, since all turns of a record share one metadata. */
const known = new WeakMap<Metadata, readonly string[]>();

/**
 * Returns distinct terms, in the order of their UTF-8 bytes; where there is no room for all, also those which
 * say so.
 */
export const termsOf = (metadata: Metadata | null | undefined): readonly string[] => {
  if (!metadata) return NO_TERMS;
  const found = known.get(metadata);
  if (found) return found;
  const keys: OfKeys = new Map();
  addObject(keys, metadata, '');
  const terms = fitting(keys);
  const sorted = terms.length === 0 ? NO_TERMS : [...terms].sort(compareText);
  known.set(metadata, sorted);
  return sorted;
};

export const NO_TERMS: readonly string[] = [];
