import type { SaidOfSession } from '../../../projections/recall/projection.ts';
import type { ListedSession, Listing } from '../../../services/core/ports.ts';
import type { SessionNames, WalkedSessions } from './listed-sessions.ts';
import type { ProjectionsReader } from './projections-reader.ts';

const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value));

/** The last title as JSON, with the instant at which it was recorded. */
const titledIn = (json: unknown): ListedSession['titled'] => {
  if (json === null) return null;
  const [said, at] = JSON.parse(String(json)) as [string, number];
  return { title: (JSON.parse(said) as SaidOfSession).title, at };
};

/** Lists the users of an organization and the sessions of a scope, each with its counts. */
export const openListedScopes = (
  reader: ProjectionsReader,
  walked: WalkedSessions,
  makeYieldWhenDue: () => () => Promise<void>,
): Pick<Listing, 'users' | 'sessions'> => {
  // A blob sorts after every text, so x'' means no bound.
  const nextUsers = reader.prepare(
    `SELECT user FROM scopes WHERE org = ?1 AND user > ?2 AND user BETWEEN coalesce(?3, ?2) AND coalesce(?3, x'')
     ORDER BY user LIMIT ?4`,
  );
  const turnsOf = (what: string) => `(SELECT ${what} FROM fragments WHERE session = s.no AND kind = 0)`;
  const countUser = reader.prepare(
    `SELECT count(*) AS sessions, sum(${turnsOf('count(*)')}) AS turns, max(${turnsOf('max(timestamp)')}) AS last
     FROM scopes p CROSS JOIN sessions s ON s.partition = p.no WHERE p.org = ? AND p.user = ?`,
  );
  const countSession = reader.prepare(
    `SELECT ${turnsOf('count(*)')} AS turns, ${turnsOf('min(timestamp)')} AS first, ${turnsOf('max(timestamp)')} AS last,
       (SELECT json_array(c.said, c.recorded) FROM corrections c WHERE c.partition = p.no AND c.session = s.name
        ORDER BY c.recorded DESC, c.offset DESC, c.id DESC LIMIT 1) AS titled
     FROM scopes p CROSS JOIN sessions s ON s.partition = p.no WHERE p.org = ? AND p.user = ? AND s.name = ?`,
  );
  /** Counts for each name, yielding in between; names that were erased meanwhile are left out. */
  const eachCounted = async <Name, Counted>(
    next: (after: Name | undefined, limit: number) => Name[],
    after: Name | undefined,
    limit: number,
    count: (name: Name) => Counted | undefined,
  ): Promise<Counted[]> => {
    const found: Counted[] = [];
    const yieldWhenDue = makeYieldWhenDue();
    for (let from = after; found.length < limit; ) {
      const most = limit - found.length;
      const names = next(from, most);
      for (const name of names) {
        const counted = count(name);
        if (counted) found.push(counted);
        await yieldWhenDue();
      }
      if (names.length < most) break;
      from = names.at(-1);
    }
    return found;
  };

  return {
    users: async ({ org, user }, after, limit) => {
      const next = (from: string | undefined, most: number) =>
        nextUsers.all(org, from ?? '', user ?? null, most).map(row => String(row.user));
      return eachCounted(next, after, limit, name => {
        const { sessions, turns, last } = countUser.get(org, name)!;
        if (Number(sessions) === 0) return undefined;
        return {
          user: name,
          sessions: Number(sessions),
          turns: Number(turns),
          lastAt: numberOrNull(last),
        };
      });
    },
    sessions: async (scope, after, limit) => {
      const next = (from: SessionNames | undefined, most: number) => walked.next(scope, 'asc', from, most);
      return eachCounted(next, after, limit, ({ user, session }) => {
        const row = countSession.get(scope.org, user, session);
        return (
          row && {
            user,
            session,
            turns: Number(row.turns),
            titled: titledIn(row.titled),
            firstAt: numberOrNull(row.first),
            lastAt: numberOrNull(row.last),
          }
        );
      });
    },
  };
};
