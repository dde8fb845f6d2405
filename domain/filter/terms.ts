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
 * turns: values get terms in their order, as long as there is room.
 */
const MOST_BYTES = 4_096;

/** Ends the key. A key with this character has no terms. */
const END = '\0';

/** The letters of types. A range compares terms of one type; `b`, `n`, `s` and `t` have values. */
const TYPE = { emptyArray: 'a', boolean: 'b', number: 'n', object: 'o', text: 's', instant: 't', null: 'z' };
export type Comparable = 'number' | 'text' | 'instant';

/** Returns the first possible term of a type, and the end after its last. */
export const boundsOf = (key: string, type: Comparable): [from: string, before: string] => {
  const letter = TYPE[type];
  return [key + END + letter, key + END + String.fromCharCode(letter.charCodeAt(0) + 1)];
};

/** Like `boundsOf`, for all terms of a key. */
export const boundsOfKey = (key: string): [from: string, before: string] => [key + END, `${key}\u0001`];

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

export const textTerm = (key: string, text: string): string => key + END + TYPE.text + bounded(text);
export const numberTerm = (key: string, value: number): string => key + END + TYPE.number + sortable(value);
export const booleanTerm = (key: string, value: boolean): string =>
  key + END + TYPE.boolean + (value ? '1' : '0');
/** @param at Unix milliseconds */
export const instantTerm = (key: string, at: number): string => key + END + TYPE.instant + sortable(at);

/** Returns two terms for a timestamp, one otherwise: it equals a text, and is compared as an instant. */
const termsOfText = (key: string, text: string): string[] => {
  const at = parseInstant(text);
  return [textTerm(key, text), ...(at === undefined ? [] : [instantTerm(key, at)])];
};

const isKey = (key: string): boolean =>
  !key.includes(END) && (key.length <= MOST_KEY || Array.from(key).length <= MOST_KEY);

/**
 * Yields the terms of a value. Nested values are traversed; each element of an array counts as a value of its
 * key.
 */
function* termsIn(key: string, value: unknown): Generator<string> {
  switch (typeof value) {
    case 'string':
      yield* termsOfText(key, value);
      break;
    case 'number':
      yield numberTerm(key, value);
      break;
    case 'boolean':
      yield booleanTerm(key, value);
      break;
    case 'object':
      if (value === null) yield key + END + TYPE.null;
      else if (Array.isArray(value)) {
        if (value.length === 0) yield key + END + TYPE.emptyArray;
        for (const one of value) yield* termsIn(key, one);
      } else {
        yield key + END + TYPE.object;
        yield* termsInObject(value as Metadata, `${key}.`);
      }
  }
}

function* termsInObject(object: Metadata, prefix: string): Generator<string> {
  for (const [name, value] of Object.entries(object)) {
    const key = prefix + name;
    if (isKey(key)) yield* termsIn(key, value);
  }
}

/** Cached, since all turns of a record share one metadata. */
const known = new WeakMap<Metadata, readonly string[]>();

/** Returns distinct terms, in the order of their UTF-8 bytes. */
export const termsOf = (metadata: Metadata | null | undefined): readonly string[] => {
  if (!metadata) return NO_TERMS;
  const found = known.get(metadata);
  if (found) return found;
  const terms = new Set<string>();
  let room = MOST_BYTES;
  for (const term of termsInObject(metadata, '')) {
    if (terms.has(term)) continue;
    room -= Buffer.byteLength(term);
    if (room < 0) break;
    terms.add(term);
  }
  const sorted = terms.size === 0 ? NO_TERMS : [...terms].sort(compareText);
  known.set(metadata, sorted);
  return sorted;
};

export const NO_TERMS: readonly string[] = [];
