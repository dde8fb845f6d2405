/** List cursors: opaque to clients, and independent of the engines that answer. */
import { isEventOffset } from '../../events/event-offset.ts';
import type { Fault } from '../parts/faults.ts';

/** Increased when the content of cursors changes; cursors of another format are rejected. */
const FORMAT = 1;
const MOST_LENGTH = 8 * 1_024;

interface Member {
  string: string;
  number: number;
  eventOffset: number;
}

export interface Cursor<Key> {
  /**
   * Encodes a sort key: base64url of the JSON `[format, list, …key]` and, of a filtered list, the name of its
   * filter.
   */
  encode(key: Key, filter?: string): string;
  /** Undefined when `text` is not a cursor of this list. */
  decode(text: string): { key: Key; filter: string | undefined } | undefined;
  /** @param query its members may have any type; the schema reports a wrong type */
  faults(query: unknown): Fault[];
}

/** The sort key that a cursor continues after. */
export type KeyOf<C> = C extends Cursor<infer Key> ? Key : never;

const isMember = (value: unknown, type: keyof Member): boolean => {
  if (type === 'number') return Number.isSafeInteger(value);
  if (type === 'eventOffset') return isEventOffset(value);
  return typeof value === 'string' && value.isWellFormed();
};

export const cursorFault: Fault = {
  form: false,
  loc: ['query', 'cursor'],
  type: 'cursor',
  message: 'must be a next_cursor of this list',
};

/** The cursor of one list. `members` are the types of its sort key, in sort order. */
export const makeCursor = <const Members extends Record<string, keyof Member>>(
  list: string,
  members: Members,
): Cursor<{ -readonly [Name in keyof Members]: Member[Members[Name]] }> => {
  type Key = { -readonly [Name in keyof Members]: Member[Members[Name]] };
  const names = Object.keys(members);

  const decode: Cursor<Key>['decode'] = text => {
    if (text.length > MOST_LENGTH) return undefined;
    let value: unknown;
    try {
      value = JSON.parse(Buffer.from(text, 'base64url').toString());
    } catch {
      return undefined;
    }
    if (!Array.isArray(value) || value[0] !== FORMAT || value[1] !== list) return undefined;
    const key = value.slice(2, 2 + names.length);
    const [filter, ...more] = value.slice(2 + names.length);
    const fits = key.length === names.length && names.every((name, i) => isMember(key[i], members[name]!));
    if (!fits || more.length > 0 || (filter !== undefined && typeof filter !== 'string')) return undefined;
    return { key: Object.fromEntries(names.map((name, i) => [name, key[i]])) as Key, filter };
  };

  return {
    encode: (key, filter) => {
      const values = names.map(name => key[name as keyof Key]);
      const named = filter === undefined ? [] : [filter];
      return Buffer.from(JSON.stringify([FORMAT, list, ...values, ...named])).toString('base64url');
    },
    decode,
    faults: query => {
      const { cursor } = query as { cursor?: unknown };
      // The schema reports an empty one.
      return typeof cursor === 'string' && cursor !== '' && !decode(cursor) ? [cursorFault] : [];
    },
  };
};
