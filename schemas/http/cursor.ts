/** List cursors: opaque to clients, and independent of the engines that answer. */
import { isPlace } from '../events/place.ts';
import type { Fault } from './faults.ts';

/** Increased when the content of cursors changes; cursors of another format are rejected. */
const FORMAT = 1;
const MOST_LENGTH = 8 * 1_024;

const FRAGMENT = ['string', 'string', 'number', 'place', 'string'] as const;

/** The types of the sort key's members for each list, in sort order. */
const PLACES = {
  users: ['string'],
  sessions: ['string', 'string'],
  'turns asc': FRAGMENT,
  'turns desc': FRAGMENT,
  observations: FRAGMENT,
  entities: ['string', 'string'],
  facts: ['string', 'string', 'number', 'string'],
} as const;

export type List = keyof typeof PLACES;

type Member = { string: string; number: number; place: number };
type Members<Types extends readonly (keyof Member)[]> = { -readonly [I in keyof Types]: Member[Types[I]] };
/** A fragment's sort key: user, session, instant, place in the log, id. In the other lists: user, then session or normalised label; of facts the key, the instant and the id. */
export type Place<L extends List> = Members<(typeof PLACES)[L]>;

/** Encodes a cursor: base64url of the JSON `[format, list, …place]` and, of a filtered list, the name of its filter. */
export const encodeCursor = <L extends List>(list: L, place: Place<L>, filter?: string): string =>
  Buffer.from(JSON.stringify([FORMAT, list, ...place, ...(filter === undefined ? [] : [filter])])).toString(
    'base64url',
  );

const isMember = (value: unknown, type: keyof Member): boolean => {
  if (type === 'number') return Number.isSafeInteger(value);
  if (type === 'place') return isPlace(value);
  return typeof value === 'string' && value.isWellFormed();
};

export interface Cursor<L extends List> {
  place: Place<L>;
  /** The name of the filter of its list. */
  filter: string | undefined;
}

/** Undefined when `text` is not a cursor of this list. */
export const decodeCursor = <L extends List>(list: L, text: string): Cursor<L> | undefined => {
  if (text.length > MOST_LENGTH) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(value) || value[0] !== FORMAT || value[1] !== list) return undefined;
  const shape: readonly (keyof Member)[] = PLACES[list];
  const place = value.slice(2, 2 + shape.length);
  const [filter, ...more] = value.slice(2 + shape.length);
  const fits = place.length === shape.length && shape.every((type, i) => isMember(place[i], type));
  if (!fits || more.length > 0 || (filter !== undefined && typeof filter !== 'string')) return undefined;
  return { place: place as Place<L>, filter };
};

export const cursorFault: Fault = {
  form: false,
  loc: ['query', 'cursor'],
  type: 'cursor',
  message: 'must be a next_cursor of this list',
};

/** @param query its members may have any type; the schema reports a wrong type */
export const cursorFaults = (list: List, query: unknown): Fault[] => {
  const { cursor } = query as { cursor?: unknown };
  // Of an empty one the schema says all.
  return typeof cursor === 'string' && cursor !== '' && !decodeCursor(list, cursor) ? [cursorFault] : [];
};
