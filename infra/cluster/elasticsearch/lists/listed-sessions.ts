import type { LastSaid, ListedSession, ListedUser, Listing, Scope } from '../../../../core/ports.ts';
import { ABOUT_SESSIONS, type SaidOfSession } from '../../../../projections/recall/recall-writes.ts';
import { type Clause, columns, ofWindow, sessionKeyOf } from '../scope-clauses.ts';
import type { Searches, ValuesBucket } from './list-searches.ts';

interface TurnsBucket extends ValuesBucket {
  key: { user: string; session: string };
  turns: { doc_count: number; first: { value: number | null }; last: { value: number | null } };
}

/**
 * Returns the kinds that make a session exist. Includes identities: a session exists even if its turns are
 * not kept. Identities have no metadata, so with a filter a session exists if a turn or an observation
 * passes.
 */
const keptIn = ({ filter }: Pick<Scope, 'filter'>): Clause => ({
  terms: { kind: filter ? ['turn', 'said', 'extracted'] : ['turn', 'identity'] },
});

/** Returns the clauses for users, which are listed with all of their sessions. */
const ofUsers = ({ filter }: Pick<Scope, 'filter'>): Clause[] => [
  keptIn({ filter }),
  ...ofWindow({ filter }),
];

const turns = {
  filter: { term: { kind: 'turn' } },
  aggs: { first: { min: { field: 'timestamp' } }, last: { max: { field: 'timestamp' } } },
};

const keyOf = ({ org }: Pick<Scope, 'org'>, { user, session }: TurnsBucket['key']): number =>
  sessionKeyOf(org, user, session);

/** Sessions of a query. */
const NAMED_AT_ONCE = 1_000;

const nameOf = ({ user, session }: { user: string; session: string }): string =>
  JSON.stringify([user, session]);

/** Lists users and sessions, each aggregated from its turns: the index has no documents for them. */
export const makeListSessions = (
  { pages, allValues }: Searches,
  /** Searches for what was said of sessions, which a retention doesn't end. */
  { search }: Pick<Searches, 'search'>,
): Pick<
  Listing,
  'users' | 'sessions' | 'titles' | 'userNames' | 'sessionNames' | 'usersNamed' | 'sessionsNamed'
> => {
  /** Leaves out users erased between the two searches. */
  const usersOf = async (scope: Scope, found: readonly TurnsBucket[]): Promise<ListedUser[]> => {
    if (found.length === 0) return [];
    const names = { terms: { user: found.map(({ key }) => key.user) } };
    const sessions = new Map<unknown, number>();
    for await (const { key } of allValues(scope, [names, ...ofUsers(scope)], ['user', 'session']))
      sessions.set(key.user, (sessions.get(key.user) ?? 0) + 1);
    return found.flatMap(({ key: { user }, turns }) => {
      const count = sessions.get(user);
      return count === undefined
        ? []
        : [{ user, sessions: count, turns: turns.doc_count, lastAt: turns.last.value }];
    });
  };

  /** Returns what was said last of each of these sessions, by its number. */
  const saidOf = async (
    scope: Pick<Scope, 'org' | 'user'>,
    found: readonly TurnsBucket[],
  ): Promise<Map<number, LastSaid>> => {
    if (found.length === 0) return new Map();
    type Fields = { session_key: [number]; fragment: [string]; recorded_at: [number] };
    const keys = found.map(({ key }) => keyOf(scope, key));
    const said = new Map<number, LastSaid>();
    for (const about of ABOUT_SESSIONS) {
      const { hits } = await search<{ hits: { hits: { fields: Fields }[] } }>(
        scope,
        [{ term: { kind: 'correction' } }, { term: { about } }, { terms: { session_key: keys } }],
        {
          ...columns('session_key', 'fragment', 'recorded_at'),
          size: keys.length,
          collapse: { field: 'session_key' },
          sort: [{ recorded_at: 'desc' }, { offset: 'desc' }, { id: 'desc' }],
        },
      );
      for (const { fields } of hits.hits) {
        const json = Buffer.from(fields.fragment[0], 'base64').toString();
        const value = (JSON.parse(json) as SaidOfSession)[about];
        const [key] = fields.session_key;
        said.set(key, { ...said.get(key), [about]: { value, at: fields.recorded_at[0] } });
      }
    }
    return said;
  };

  const sessionsOf = async (
    scope: Pick<Scope, 'org' | 'user'>,
    found: readonly TurnsBucket[],
  ): Promise<ListedSession[]> => {
    const said = await saidOf(scope, found);
    return found.map(({ key, turns }) => ({
      ...key,
      turns: turns.doc_count,
      said: said.get(keyOf(scope, key)) ?? {},
      firstAt: turns.first.value,
      lastAt: turns.last.value,
    }));
  };

  return {
    userNames: async (scope, after, limit) => {
      const page = { size: limit, after: after === undefined ? undefined : { user: after } };
      const { value: found } = await pages(scope, ofUsers({}), ['user'], page).next();
      return found!.map(({ key }) => String(key.user));
    },
    sessionNames: async (scope, after, limit) => {
      const filter = [keptIn({}), ...ofWindow({ session: scope.session })];
      const { value: found } = await pages<TurnsBucket>(scope, filter, ['user', 'session'], {
        size: limit,
        after,
      }).next();
      return found!.map(({ key: { user, session } }) => ({ user, session }));
    },
    usersNamed: async (scope, users) => {
      if (users.length === 0) return [];
      const filter = [...ofUsers(scope), { terms: { user: users } }];
      const page = { size: users.length, aggs: { turns } };
      const { value: found } = await pages<TurnsBucket>(scope, filter, ['user'], page).next();
      return usersOf(scope, found!);
    },
    sessionsNamed: async (scope, sessions) => {
      if (sessions.length === 0) return [];
      const keys = sessions.map(({ user, session }) => sessionKeyOf(scope.org, user, session));
      const filter = [keptIn(scope), ...ofWindow(scope), { terms: { session_key: keys } }];
      const page = { size: keys.length, aggs: { turns } };
      const { value: found } = await pages<TurnsBucket>(scope, filter, ['user', 'session'], page).next();
      return sessionsOf(scope, found!);
    },
    users: async (scope, after, limit) => {
      const page = { size: limit, after: after === undefined ? undefined : { user: after }, aggs: { turns } };
      const listed: ListedUser[] = [];
      for await (const found of pages<TurnsBucket>(scope, ofUsers(scope), ['user'], page)) {
        listed.push(...(await usersOf(scope, found)));
        if (listed.length >= limit) break;
      }
      return listed.slice(0, limit);
    },
    sessions: async (scope, after, limit) => {
      const filter = [keptIn(scope), ...ofWindow(scope)];
      const page = { size: limit, after, aggs: { turns } };
      const { value: found } = await pages<TurnsBucket>(scope, filter, ['user', 'session'], page).next();
      return sessionsOf(scope, found!);
    },
    titles: async (org, sessions) => {
      const scope = { org };
      const known = new Map<string, string>();
      for (let at = 0; at < sessions.length; at += NAMED_AT_ONCE) {
        const some = sessions.slice(at, at + NAMED_AT_ONCE);
        const keys = [...new Set(some.map(one => sessionKeyOf(org, one.user, one.session)))];
        const filter = [keptIn({}), { terms: { session_key: keys } }];
        const page = { size: NAMED_AT_ONCE, aggs: { turns } };
        for await (const found of pages<TurnsBucket>(scope, filter, ['user', 'session'], page)) {
          const said = await saidOf(scope, found);
          for (const { key } of found) {
            const title = said.get(keyOf(scope, key))?.title?.value;
            if (typeof title === 'string') known.set(nameOf(key), title);
          }
        }
      }
      return sessions.map(one => known.get(nameOf(one)));
    },
  };
};
