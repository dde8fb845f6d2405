/** Where a list goes on: opaque to clients, and the same whichever engines answer. */
import type { Fault } from './faults.ts';

/** Raised when what a cursor holds changes: an older one is refused. */
const FORMAT = 1;
const MOST_LENGTH = 8 * 1_024;

const FRAGMENT = ['string', 'string', 'number', 'number', 'string'] as const;

/** The members of an item's place, in the order in which they sort, by list. */
const PLACES = {
  users: ['string'],
  sessions: ['string', 'string'],
  'turns asc': FRAGMENT,
  'turns desc': FRAGMENT,
  observations: FRAGMENT,
  entities: ['string', 'string'],
} as const;

export type List = keyof typeof PLACES;

type Member = { string: string; number: number };
type Members<Types extends readonly (keyof Member)[]> = { -readonly [I in keyof Types]: Member[Types[I]] };
/** User, session, instant, offset and id of a fragment; user, and session or normalised label, of the others. */
export type Place<L extends List> = Members<(typeof PLACES)[L]>;

/** base64url of JSON: `[format, list, …place]`. */
export const encodeCursor = <L extends List>(list: L, place: Place<L>): string =>
  Buffer.from(JSON.stringify([FORMAT, list, ...place])).toString('base64url');

const isMember = (value: unknown, type: keyof Member): boolean =>
  type === 'number' ? Number.isSafeInteger(value) : typeof value === 'string' && value.isWellFormed();

/** Undefined when it is none of this list's. */
export const decodeCursor = <L extends List>(list: L, text: string): Place<L> | undefined => {
  if (text.length > MOST_LENGTH) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(value) || value[0] !== FORMAT || value[1] !== list) return undefined;
  const [, , ...place] = value;
  const shape: readonly (keyof Member)[] = PLACES[list];
  const fits = place.length === shape.length && shape.every((type, i) => isMember(place[i], type));
  return fits ? (place as Place<L>) : undefined;
};

export const cursorFault: Fault = {
  form: false,
  loc: ['query', 'cursor'],
  type: 'cursor',
  message: 'must be the next_cursor of this list',
};

/** @param query its members of any type: those of a wrong one are another rule's matter */
export const cursorFaults = (list: List, query: unknown): Fault[] => {
  const { cursor } = query as { cursor?: unknown };
  return typeof cursor === 'string' && !decodeCursor(list, cursor) ? [cursorFault] : [];
};
