/** `turnstone users` and `turnstone sessions`: what is stored, by whom and in which conversations. */
import * as operations from '../../../../clients/typescript/src/operations.ts';
import type { Filter } from '../../../../schemas/http/queries/filter.ts';
import type { Client } from '../../client/client.ts';
import { connect } from '../../client/connection.ts';
import { EXIT, type ExitStatus } from '../../client/exit.ts';
import { note, print, printJson, styled, type Terminal } from '../../client/terminal.ts';
import { shortened, table } from '../table.ts';
import { foundBy } from './found-by.ts';

export interface ListOptions {
  q?: string;
  user?: string;
  filter?: Filter;
  sort?: 'id' | 'last_at';
  limit: number;
  json?: boolean;
}

/** The most that the service lists in one page. */
const PAGE = 200;

interface Page<Item> {
  items: Item[];
  next: string | null;
}

/** Reads pages until there are `most` items; `isAll`: there are no more. */
const readUpTo = async <Item>(
  most: number,
  page: (query: { limit: number; cursor: string | undefined }) => Promise<Page<Item>>,
): Promise<{ items: Item[]; isAll: boolean }> => {
  const items: Item[] = [];
  let cursor: string | undefined;
  for (;;) {
    const { items: some, next } = await page({ limit: Math.min(PAGE, most - items.length), cursor });
    items.push(...some);
    if (next === null) return { items, isAll: true };
    if (items.length >= most) return { items, isAll: false };
    cursor = next;
  }
};

/** `2026-01-05 09:30`, UTC. */
const minute = (instant: string | null): string => instant?.slice(0, 16).replace('T', ' ') ?? '';

const show = (
  terminal: Terminal,
  {
    heading,
    rows,
    isAll,
    hasWords,
  }: { heading: string[]; rows: (string | number)[][]; isAll: boolean; hasWords: boolean },
): void => {
  if (rows.length === 0) {
    print(terminal, hasWords ? 'Nothing has these words.' : 'Nothing is stored.');
    return;
  }
  const [first = '', ...lines] = table(heading, rows);
  print(terminal, styled(terminal, 'bold', first));
  for (const line of lines) print(terminal, line);
  if (!isAll) note(terminal, `the first ${rows.length}; --limit lists more`);
};

const asked = ({ filter }: ListOptions) => filter && JSON.stringify(filter);

const usersOf = (client: Client, options: ListOptions) =>
  readUpTo(options.limit, async query => {
    const { users, next_cursor } = await client.call(
      operations.listUsers({ ...query, q: options.q, sort: options.sort, filter: asked(options) }),
    );
    return { items: users, next: next_cursor };
  });

const sessionsOf = (client: Client, options: ListOptions) =>
  readUpTo(options.limit, async query => {
    const { sessions, next_cursor } = await client.call(
      operations.listSessions({
        ...query,
        user_id: options.user,
        q: options.q,
        sort: options.sort,
        filter: asked(options),
      }),
    );
    return { items: sessions, next: next_cursor };
  });

export const listUsers = async (terminal: Terminal, options: ListOptions): Promise<ExitStatus> => {
  const { items, isAll } = await usersOf(connect(terminal), options);
  if (options.json) printJson(terminal, { users: items }, 2);
  else
    show(terminal, {
      heading: ['user', 'sessions', 'turns', 'last (UTC)', ...(options.q === undefined ? [] : ['found'])],
      rows: items.map(one => [
        shortened(one.user_id),
        one.sessions,
        one.turns,
        minute(one.last_at),
        ...foundBy(options.q, one.match),
      ]),
      isAll,
      hasWords: options.q !== undefined,
    });
  return EXIT.ok;
};

export const listSessions = async (terminal: Terminal, options: ListOptions): Promise<ExitStatus> => {
  const { items, isAll } = await sessionsOf(connect(terminal), options);
  if (options.json) printJson(terminal, { sessions: items }, 2);
  else
    show(terminal, {
      heading: [
        ...['user', 'session', 'title', 'turns', 'first (UTC)', 'last'],
        ...(options.q === undefined ? [] : ['found']),
      ],
      rows: items.map(one => [
        shortened(one.user_id),
        shortened(one.session_id),
        shortened(one.title ?? ''),
        one.turns,
        minute(one.first_at),
        minute(one.last_at),
        ...foundBy(options.q, one.match),
      ]),
      isAll,
      hasWords: options.q !== undefined,
    });
  return EXIT.ok;
};
