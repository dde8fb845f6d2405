/** Everything that all lists share: the query, a page of items, and the cursor of the next one. */
import type { FromQuery, FromSchema } from '../../from-schema.ts';
import { type Answer, type GuardedOperation, guarded, json } from '../operation.ts';
import type { Fault } from '../parts/faults.ts';
import {
  list as arrayOf,
  type Component,
  component,
  type Freshness,
  freshness,
  freshnessExample,
  nullableString,
  object,
  reference,
  text,
} from '../parts/parts.ts';
import { RIGHTS } from '../rights.ts';
import { type Cursor, makeCursor } from './cursor.ts';
import { filterQuery, filterQueryFaults } from './filter.ts';
import { query } from './query-schema.ts';
import { windowFaults } from './window.ts';

const MOST_LISTED = 200;
/** Items per page by default. */
export const LISTED = 50;

const paging = {
  q: {
    ...text(1, 8_192),
    description:
      'Words to look for, as a recall analyses them. The list then has what they match, best first, at most 1,000 items, each with a match; without q it has all, in its own order.',
  },
  filter: filterQuery,
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: MOST_LISTED,
    default: LISTED,
    description: 'Maximum number of items per page.',
  },
  cursor: {
    type: 'string',
    minLength: 1,
    description:
      "The next_cursor of the previous page. The list continues after that page's last item, whatever was written since.",
  },
} as const;

/** The most items that a list ranks by words. */
export const MOST_RANKED = 1_000;

/** The cursor of a list that is ranked by words: how many items came before. */
export const rankedCursor = (name: string): Cursor<{ from: number }> =>
  makeCursor(`${name} q`, { from: 'number' });

/** @param sent its members may have any type; the schema reports a wrong type */
const isRanked = (sent: unknown): boolean => (sent as { q?: unknown }).q !== undefined;

/** A ranking has its own order. */
const rankingFaults = (sent: unknown): Fault[] => {
  const { q, ...others } = sent as Record<string, unknown>;
  return ['sort', 'order']
    .filter(name => q !== undefined && others[name] !== undefined)
    .map(name => ({
      form: false,
      loc: ['query', name],
      type: 'contradiction',
      message: 'must not be given with q, which orders by rank',
    }));
};

const nextCursor = {
  ...nullableString,
  description: 'Send it as cursor to get the next page; null: this is the last page.',
} as const;

/** The paging rules of all lists. */
const PAGES =
  'To page, repeat the call with next_cursor as cursor and the other parameters unchanged, until next_cursor is null. Each item comes exactly once, in order, whatever is written or erased in between. A page holds fewer items than its limit where their texts are long. A list with q is ranked anew for each page, so what is written or erased meanwhile may move an item to another page.';

/** A page of the list `Name`. */
type Page<Name extends string, Item> = { [Member in Name]: Item[] } & {
  next_cursor: string | null;
  freshness: Freshness;
};

interface Listed<Item, Members> {
  summary: string;
  /** The items listed, and their order. */
  description: string;
  /** The list's own query; that of all lists is added. */
  members: Members;
  cursorFaults: (query: unknown) => Fault[];
  example: Item[];
  /** The example's `next_cursor`. */
  next?: string;
}

/** The id of the operation that lists items of this name. */
export const listIdOf = (name: string): keyof typeof RIGHTS & `list${string}` =>
  `list${name[0]!.toUpperCase()}${name.slice(1)}` as 'listTurns';

/** The operation that lists these items: `GET /memory/{name}`. */
export const list = <
  const Name extends string,
  const Item extends object,
  const Members extends Record<string, object>,
>(
  name: Name,
  item: Component<Item>,
  { summary, description, members, cursorFaults, example, next }: Listed<FromSchema<Item>, Members>,
): GuardedOperation<FromQuery<Members & typeof paging>, undefined, Page<Name, FromSchema<Item>>> => {
  const page: Component = component(
    `${name[0]!.toUpperCase()}${name.slice(1)}`,
    object({ [name]: arrayOf(reference(item)), next_cursor: nextCursor, freshness: reference(freshness) }),
  );
  const shown = { [name]: example, next_cursor: next ?? null, freshness: freshnessExample };
  return guarded({
    method: 'get',
    path: `/memory/${name}`,
    summary,
    description: `${description} ${PAGES}`,
    tag: 'Memory',
    ...RIGHTS[listIdOf(name)],
    query: query<Members & typeof paging>(
      { ...members, ...paging },
      {
        between: sent => [
          ...windowFaults('query', sent),
          ...filterQueryFaults(sent),
          ...rankingFaults(sent),
          ...(isRanked(sent) ? rankedCursor(name).faults : cursorFaults)(sent),
        ],
      },
    ),
    answer: json(200, `A page of ${name}.`, page, shown as never) as Answer<Page<Name, FromSchema<Item>>>,
    statuses: [422, 503],
  });
};
