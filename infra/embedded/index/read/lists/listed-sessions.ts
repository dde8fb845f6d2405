import type { Scope } from '../../../../../core/ports.ts';
import type { ProjectionsReader, ReadStatement } from '../projections-reader.ts';

export type Order = 'asc' | 'desc';

export interface SessionNames {
  user: string;
  session: string;
}

/** A session's names, and its number in the file that was read. */
export interface SessionRow extends SessionNames {
  no: number;
}

type Names = Pick<Scope, 'org' | 'user' | 'session'>;

/** Sessions read before yielding: a filter may exclude most of them. */
const AT_ONCE = 200;

/** A fully expired session is treated as if it had never existed. */
export const HAS_LIVING = 'EXISTS (SELECT 1 FROM fragments WHERE session = s.no)';

/** The start value for each order: '' sorts before every name, and a blob after every text. */
const START = { asc: '', desc: new Uint8Array() };

export interface WalkedSessions {
  /**
   * Returns sessions of the scope by user and name, in the order of UTF-8 bytes, after a given one or from
   * the first.
   */
  next(scope: Names, order: Order, after: SessionNames | undefined, limit: number): SessionRow[];
  /**
   * Visits the session of a cursor, then those after it, until `visit` returns 'enough'. `visit` must not
   * await, since row numbers differ in another generation's file.
   */
  walk(
    scope: Names,
    order: Order,
    after: SessionNames | undefined,
    visit: (sessions: readonly SessionRow[], ofCursor: boolean) => 'enough' | 'more',
  ): Promise<void>;
}

export const openWalkedSessions = (
  reader: ProjectionsReader,
  makeYieldWhenDue: () => () => Promise<void>,
): WalkedSessions => {
  // Each statement walks along two indices: p.no in ORDER BY, which is unique per user, lets the planner see
  // that.
  const prepare = (order: Order, users: string, name: string): ReadStatement =>
    reader.prepare(
      `SELECT s.no, p.user, s.name AS session FROM scopes p CROSS JOIN sessions s ON s.partition = p.no
       WHERE p.org = ?1 AND ${users} AND ${name} AND ${HAS_LIVING} ORDER BY p.user ${order}, p.no ${order}, s.name ${order} LIMIT ?5`,
    );
  const walks = (order: Order, users: string) => ({
    any: prepare(order, users, '?4 IS NULL'),
    named: prepare(order, users, 's.name = ?4'),
  });
  const ofUser = {
    asc: walks('asc', 'p.user = ?2 AND s.name > ?3'),
    desc: walks('desc', 'p.user = ?2 AND s.name < ?3'),
  };
  const ofOthers = {
    asc: walks('asc', 'p.user > ?2 AND ?3 IS NULL'),
    desc: walks('desc', 'p.user < ?2 AND ?3 IS NULL'),
  };

  const next: WalkedSessions['next'] = ({ org, user, session }, order, after, limit) => {
    const which = session === undefined ? 'any' : 'named';
    const name = session ?? null;
    const first = user ?? after?.user;
    const start = START[order];
    const rows =
      first === undefined ? [] : ofUser[order][which].all(org, first, after?.session ?? start, name, limit);
    if (user === undefined && rows.length < limit)
      rows.push(...ofOthers[order][which].all(org, first ?? start, null, name, limit - rows.length));
    return rows.map(row => ({
      no: Number(row.no),
      user: String(row.user),
      session: String(row.session),
    }));
  };

  return {
    next,
    walk: async (scope, order, after, visit) => {
      const { org } = scope;
      // A cursor outside the scope has no session to visit.
      const [user, session] = [scope.user ?? after?.user, scope.session ?? after?.session];
      const isIn = after?.user === user && after?.session === session;
      const own = after && isIn ? next({ org, user, session }, 'asc', undefined, 1) : [];
      if (visit(own, true) === 'enough') return;
      const yieldWhenDue = makeYieldWhenDue();
      for (let from = after; ; ) {
        const sessions = next(scope, order, from, AT_ONCE);
        if (visit(sessions, false) === 'enough' || sessions.length < AT_ONCE) return;
        from = sessions.at(-1);
        await yieldWhenDue();
      }
    },
  };
};
