import type { LastSaid, ListedSession, ListedUser, Listing, Scope } from '../../../../../core/ports.ts';
import { ABOUT_SESSIONS } from '../../../../../projections/recall/recall-writes.ts';
import type { ProjectionsReader } from '../projections-reader.ts';
import { HAS_LIVING, type SessionNames, type WalkedSessions } from './listed-sessions.ts';
import { type PassingReader, passesIn, passingValue } from './passing-metadata.ts';

const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value));

/** Selects what was said last of a session, with the instant at which it was recorded. */
const LAST_SAID = ABOUT_SESSIONS.map(
  about => `'${about}', json((SELECT json_object('value', c.said -> '$.${about}', 'at', c.recorded)
     FROM corrections c WHERE c.partition = p.no AND c.session = s.name AND c.about = '${about}'
     ORDER BY c.recorded DESC, c.offset DESC, c.id DESC LIMIT 1))`,
);

const saidIn = (json: unknown): LastSaid =>
  Object.fromEntries(Object.entries(JSON.parse(String(json)) as object).filter(([, said]) => said !== null));

type FilterScope = Pick<Scope, 'org' | 'user' | 'filter'>;

/** Lists the users of an organization and the sessions of a scope, each with its counts. */
export const openListedScopes = (
  reader: ProjectionsReader,
  walked: WalkedSessions,
  metadata: PassingReader,
  makeYieldWhenDue: () => () => Promise<void>,
): Pick<Listing, 'users' | 'sessions' | 'usersNamed' | 'sessionsNamed'> => {
  // A blob sorts after every text, so x'' means no bound.
  const nextUsers = reader.prepare(
    `SELECT user FROM scopes WHERE org = ?1 AND user > ?2 AND user BETWEEN coalesce(?3, ?2) AND coalesce(?3, x'')
     ORDER BY user LIMIT ?4`,
  );
  const turnsOf = (what: string) => `(SELECT ${what} FROM fragments WHERE session = s.no AND kind = 0)`;
  const countUser = reader.prepare(
    `SELECT count(*) AS sessions, sum(${turnsOf('count(*)')}) AS turns, max(${turnsOf('max(timestamp)')}) AS last
     FROM scopes p CROSS JOIN sessions s ON s.partition = p.no WHERE p.org = ? AND p.user = ? AND ${HAS_LIVING}`,
  );
  const countSession = reader.prepare(
    `SELECT ${turnsOf('count(*)')} AS turns, ${turnsOf('min(timestamp)')} AS first, ${turnsOf('max(timestamp)')} AS last,
       json_object(${LAST_SAID}) AS said
     FROM scopes p CROSS JOIN sessions s ON s.partition = p.no WHERE p.org = ? AND p.user = ? AND s.name = ?`,
  );
  // With a filter each fragment is checked. Identities have no metadata: a session is listed if a turn or an
  // observation passes.
  const PASSING = `FROM scopes p CROSS JOIN sessions s ON s.partition = p.no
     CROSS JOIN fragments f ON f.session = s.no AND f.kind IN (0, 1)
     WHERE p.org = ?1 AND p.user = ?2 AND ${passesIn('f.metadata', '?3')}`;
  const TURNS = 'count(*) FILTER (WHERE f.kind = 0) AS turns';
  const LAST = 'max(f.timestamp) FILTER (WHERE f.kind = 0) AS last';
  const countUserPassing = reader.prepare(
    `SELECT count(DISTINCT f.session) AS sessions, ${TURNS}, ${LAST} ${PASSING}`,
  );
  const countSessionPassing = reader.prepare(
    `SELECT count(*) AS fragments, ${TURNS}, min(f.timestamp) FILTER (WHERE f.kind = 0) AS first, ${LAST}
     ${PASSING} AND s.name = ?4`,
  );
  /** Counts a user. `scope`: the list's scope, for which the passing metadata is known. */
  const countedUser = (scope: FilterScope, user: string) =>
    scope.filter
      ? countUserPassing.get(scope.org, user, passingValue(metadata.inScope(scope)))
      : countUser.get(scope.org, user);
  const countedSession = (scope: FilterScope, user: string, name: string) => {
    const { org, filter } = scope;
    if (!filter) return countSession.get(org, user, name);
    const [row] = walked.next({ org, user, session: name }, 'asc', undefined, 1);
    if (!row) return undefined;
    const passing = metadata.inSessions(scope, [row.no]);
    const counted = countSessionPassing.get(org, user, passingValue(passing), name)!;
    // The last sayings are those of the whole session.
    const whole = countSession.get(org, user, name);
    return whole && Number(counted.fragments) > 0 ? { ...whole, ...counted } : undefined;
  };
  /** Counts for each of these names, with yields; names erased meanwhile are left out. */
  const ofThese = async <Name, Counted>(
    names: readonly Name[],
    count: (name: Name) => Counted | undefined,
  ): Promise<Counted[]> => {
    const found: Counted[] = [];
    const yieldWhenDue = makeYieldWhenDue();
    for (const name of names) {
      const counted = count(name);
      if (counted) found.push(counted);
      await yieldWhenDue();
    }
    return found;
  };
  /** The same for the next names. */
  const eachCounted = async <Name, Counted>(
    next: (after: Name | undefined, limit: number) => Name[],
    after: Name | undefined,
    limit: number,
    count: (name: Name) => Counted | undefined,
  ): Promise<Counted[]> => {
    const found: Counted[] = [];
    for (let from = after; found.length < limit; ) {
      const most = limit - found.length;
      const names = next(from, most);
      found.push(...(await ofThese(names, count)));
      if (names.length < most) break;
      from = names.at(-1);
    }
    return found;
  };

  /** Undefined where all has expired, or nothing passes. */
  const listedUser = (scope: FilterScope, user: string): ListedUser | undefined => {
    const { sessions, turns, last } = countedUser(scope, user)!;
    if (Number(sessions) === 0) return undefined;
    return { user, sessions: Number(sessions), turns: Number(turns), lastAt: numberOrNull(last) };
  };
  const listedSession = (scope: FilterScope, { user, session }: SessionNames): ListedSession | undefined => {
    const row = countedSession(scope, user, session);
    return (
      row && {
        user,
        session,
        turns: Number(row.turns),
        said: saidIn(row.said),
        firstAt: numberOrNull(row.first),
        lastAt: numberOrNull(row.last),
      }
    );
  };
  return {
    usersNamed: (scope, users) => ofThese(users, user => listedUser(scope, user)),
    sessionsNamed: (scope, sessions) =>
      ofThese(sessions, one => {
        const isThere = walked.next({ org: scope.org, ...one }, 'asc', undefined, 1).length > 0;
        return isThere ? listedSession(scope, one) : undefined;
      }),
    users: async (scope, after, limit) => {
      const { org, user } = scope;
      const next = (from: string | undefined, most: number) =>
        nextUsers.all(org, from ?? '', user ?? null, most).map(row => String(row.user));
      return eachCounted(next, after, limit, name => listedUser(scope, name));
    },
    sessions: async (scope, after, limit) => {
      const next = (from: SessionNames | undefined, most: number) => walked.next(scope, 'asc', from, most);
      return eachCounted(next, after, limit, one => listedSession(scope, one));
    },
  };
};
