import type {
  KeptTurn,
  ListedFragment,
  ListFilter,
  Listing,
  ListPlace,
  Scope,
} from '../../../services/core/ports.ts';
import { fragmentOf, selectFragments } from './fragment.ts';
import { openListedEntities } from './listed-entities.ts';
import { type Order, openWalkedSessions, type SessionNames, type SessionRow } from './listed-sessions.ts';
import { bytesOfId, bytesOfTurnId, NEVER, originOfPlace } from './projections-database.ts';
import type { ProjectionsReader, ReadStatement } from './projections-reader.ts';

const START = {
  asc: { timestamp: -NEVER, offset: -1, id: '' },
  desc: { timestamp: NEVER, offset: Number.MAX_SAFE_INTEGER, id: '' },
} as const;
const KINDS = { turn: 0, observation: 1 } as const;

/** The bytes of an id; for '' bytes that sort before every id, or after every id when descending. */
const idBytes = (id: string, order: Order): Uint8Array =>
  bytesOfId(id) ?? (order === 'asc' ? new Uint8Array() : Buffer.alloc(17, 0xff));

const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value));

/**
 * Lists of a projections' file. Row numbers differ from one generation's file to the next, so they are looked
 * up again by name after every yield.
 */
export const openListing = (
  reader: ProjectionsReader,
  makeYieldWhenDue: () => () => Promise<void>,
): Listing => {
  const walked = openWalkedSessions(reader, makeYieldWhenDue);
  // A blob sorts above every text, so x'' stands for no bound.
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
    `SELECT ${turnsOf('count(*)')} AS turns, ${turnsOf('min(timestamp)')} AS first, ${turnsOf('max(timestamp)')} AS last
     FROM scopes p CROSS JOIN sessions s ON s.partition = p.no WHERE p.org = ? AND p.user = ? AND s.name = ?`,
  );
  const filtered = (from: string, to: string) =>
    `f.kind = ?2 AND f.timestamp BETWEEN ${from} AND ${to} AND (?5 IS NULL OR f.role = ?5)
     AND (?6 IS NULL OR f.source = ?6) AND (?7 IS NULL OR f.turn = ?7)`;
  const withAny = reader.prepare(
    `SELECT value AS no FROM json_each(?1)
     WHERE EXISTS (SELECT 1 FROM fragments f WHERE f.session = value AND ${filtered('?3', '?4')})`,
  );
  // The timestamp's bounds include the cursor: from a row value alone the planner derives no index range.
  const following = { asc: filtered('max(?3, ?8)', '?4'), desc: filtered('?3', 'min(?4, ?8)') };
  const fragmentsOf = (order: Order): ReadStatement =>
    reader.prepare(
      `${selectFragments('f.offset')} WHERE f.session = ?1 AND ${following[order]}
         AND (f.timestamp, f.offset, f.id) ${order === 'asc' ? '>' : '<'} (?8, ?9, ?10)
       ORDER BY f.timestamp ${order}, f.offset ${order}, f.id ${order} LIMIT ?11`,
    );
  const fragments = { asc: fragmentsOf('asc'), desc: fragmentsOf('desc') };
  const observed = reader.prepare(
    `SELECT p.user, s.name AS session, f.timestamp FROM fragments f
     JOIN sessions s ON s.no = f.session JOIN scopes p ON p.no = f.partition
     WHERE f.kind = 1 AND f.turn = ?1 AND p.org = ?2 LIMIT 1`,
  );
  const oneTurn = reader.prepare(
    `${selectFragments('f.place', 'f.offset', 'f.recorded')}
     WHERE f.id = ?1 AND f.kind = 0 AND p.org = ?2 AND (?3 IS NULL OR p.user = ?3)`,
  );
  const offsetOf = reader.prepare(
    `SELECT f.offset FROM fragments f CROSS JOIN scopes p ON p.no = f.partition
     WHERE f.id = ?1 AND (f.kind = 0 OR f.kind = 1 AND f.source = 'client') AND p.org = ?2 AND (?3 IS NULL OR p.user = ?3)`,
  );

  const valuesOf = ({ since, until }: Scope, { kind, role, source, turnId }: ListFilter) => [
    KINDS[kind],
    since ?? -NEVER,
    until ?? NEVER,
    role ?? null,
    source ?? null,
    turnId === undefined ? null : bytesOfTurnId(turnId)!,
  ];

  const fragmentsIn = (
    { no, user, session }: SessionRow,
    values: ReturnType<typeof valuesOf>,
    order: Order,
    after: ListPlace | undefined,
    limit: number,
  ): ListedFragment[] => {
    const from = after ?? START[order];
    const cursor = [from.timestamp, from.offset, idBytes(from.id, order)];
    return fragments[order].all(no, ...values, ...cursor, limit).map(row => {
      const fragment = fragmentOf(row);
      const { timestamp, id } = fragment;
      return { fragment, place: { user, session, timestamp, offset: Number(row.offset), id } };
    });
  };

  /** Narrows the scope to the turn's session and timestamp, which all its observations share. */
  const aroundTurn = (scope: Scope, turnId: string): Scope | undefined => {
    const id = bytesOfTurnId(turnId);
    const row = id && observed.get(id, scope.org);
    if (!row) return undefined;
    const [user, session, timestamp] = [String(row.user), String(row.session), Number(row.timestamp)];
    if ((scope.user ?? user) !== user || (scope.session ?? session) !== session) return undefined;
    const since = Math.max(timestamp, scope.since ?? timestamp);
    const until = Math.min(timestamp, scope.until ?? timestamp);
    return { org: scope.org, user, session, since, until };
  };

  /** Counts for each name, yielding in between; names erased meanwhile are left out. */
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
            firstAt: numberOrNull(row.first),
            lastAt: numberOrNull(row.last),
          }
        );
      });
    },
    fragments: async (wanted, filter, order, after, limit) => {
      const { turnId } = filter;
      const scope = turnId === undefined ? wanted : aroundTurn(wanted, turnId);
      if (!scope) return [];
      const values = valuesOf(scope, filter);
      const found: ListedFragment[] = [];
      await walked.walk(scope, order, after, (sessions, ofCursor) => {
        const numbers = JSON.stringify(sessions.map(({ no }) => no));
        const any = new Set(withAny.all(numbers, ...values).map(({ no }) => Number(no)));
        for (const session of sessions) {
          if (found.length === limit) return 'enough';
          if (any.has(session.no)) {
            const cursor = ofCursor ? after : undefined;
            found.push(...fragmentsIn(session, values, order, cursor, limit - found.length));
          }
        }
        return found.length === limit ? 'enough' : 'more';
      });
      return found;
    },
    ...openListedEntities(reader, walked, makeYieldWhenDue),
    offsets: async ({ org, user }, ids) => {
      const rows = ids.map(id => [id, offsetOf.get(bytesOfId(id)!, org, user ?? null)] as const);
      return new Map(rows.flatMap(([id, row]) => (row ? [[id, Number(row.offset)] as const] : [])));
    },
    turn: async ({ org, user }, id): Promise<KeptTurn | undefined> => {
      const bytes = bytesOfTurnId(id);
      const row = bytes && oneTurn.get(bytes, org, user ?? null);
      if (!row) return undefined;
      const origin = {
        ...originOfPlace(Number(row.place)),
        offset: Number(row.offset),
        recordedAt: Number(row.recorded),
      };
      return { fragment: fragmentOf(row), origin };
    },
  };
};
