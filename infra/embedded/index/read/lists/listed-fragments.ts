import type { SQLInputValue } from 'node:sqlite';
import type { ListCursor, ListedFragment, ListFilter, Listing, Scope } from '../../../../../core/ports.ts';
import { bytesOfId, bytesOfTurnId, NEVER } from '../../file/projections-database.ts';
import type { ProjectionsReader, ReadStatement } from '../projections-reader.ts';
import { fragmentOf, selectFragments } from '../read-fragment.ts';
import type { Order, SessionRow, WalkedSessions } from './listed-sessions.ts';
import { type PassingReader, passesIn, passingValue } from './passing-metadata.ts';

const START = {
  asc: { timestamp: -NEVER, offset: -1, id: '' },
  desc: { timestamp: NEVER, offset: Number.MAX_SAFE_INTEGER, id: '' },
} as const;
const KINDS = { turn: 0, observation: 1 } as const;

/** Returns the bytes of an id; for '' bytes that sort before every id or, when descending, after every id. */
const idBytes = (id: string, order: Order): Uint8Array =>
  bytesOfId(id) ?? (order === 'asc' ? new Uint8Array() : Buffer.alloc(17, 0xff));

const valuesOf = ({ since, until }: Scope, { kind, role, source, turnId }: ListFilter) => [
  KINDS[kind],
  since ?? -NEVER,
  until ?? NEVER,
  role ?? null,
  source ?? null,
  turnId === undefined ? null : bytesOfTurnId(turnId)!,
];

/** Lists turns or observations of a scope, session by session. */
export const openListedFragments = (
  reader: ProjectionsReader,
  walked: WalkedSessions,
  metadata: PassingReader,
): Pick<Listing, 'fragments'> => {
  const filtered = (from: string, to: string) =>
    `f.kind = ?2 AND f.timestamp BETWEEN ${from} AND ${to} AND (?5 IS NULL OR f.role = ?5)
     AND (?6 IS NULL OR f.source = ?6) AND (?7 IS NULL OR f.turn = ?7) AND ${passesIn('f.metadata', '?8')}`;
  const withAny = reader.prepare(
    `SELECT value AS no FROM json_each(?1)
     WHERE EXISTS (SELECT 1 FROM fragments f WHERE f.session = value AND ${filtered('?3', '?4')})`,
  );
  // The timestamp's bounds include the cursor: the planner derives no index range from a row value alone.
  const following = { asc: filtered('max(?3, ?9)', '?4'), desc: filtered('?3', 'min(?4, ?9)') };
  const fragmentsOf = (order: Order): ReadStatement =>
    reader.prepare(
      `${selectFragments('f.offset')} WHERE f.session = ?1 AND ${following[order]}
         AND (f.timestamp, f.offset, f.id) ${order === 'asc' ? '>' : '<'} (?9, ?10, ?11)
       ORDER BY f.timestamp ${order}, f.offset ${order}, f.id ${order} LIMIT ?12`,
    );
  const fragments = { asc: fragmentsOf('asc'), desc: fragmentsOf('desc') };
  const observed = reader.prepare(
    `SELECT p.user, s.name AS session, f.timestamp FROM fragments f
     JOIN sessions s ON s.no = f.session JOIN scopes p ON p.no = f.partition
     WHERE f.kind = 1 AND f.turn = ?1 AND p.org = ?2 LIMIT 1`,
  );

  const fragmentsIn = (
    { no, user, session }: SessionRow,
    values: readonly SQLInputValue[],
    order: Order,
    after: ListCursor | undefined,
    limit: number,
  ): ListedFragment[] => {
    const from = after ?? START[order];
    const cursor = [from.timestamp, from.offset, idBytes(from.id, order)];
    return fragments[order].all(no, ...values, ...cursor, limit).map(row => {
      const fragment = fragmentOf(row);
      const { timestamp, id } = fragment;
      return { fragment, cursor: { user, session, timestamp, offset: Number(row.offset), id } };
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
    return { org: scope.org, user, session, since, until, filter: scope.filter };
  };

  return {
    fragments: async (wanted, filter, order, after, limit) => {
      const { turnId } = filter;
      const scope = turnId === undefined ? wanted : aroundTurn(wanted, turnId);
      if (!scope) return [];
      const found: ListedFragment[] = [];
      await walked.walk(scope, order, after, (sessions, ofCursor) => {
        const numbers = sessions.map(({ no }) => no);
        const passing = metadata.inSessions(wanted, numbers);
        const values = [...valuesOf(scope, filter), passingValue(passing)];
        const asked = JSON.stringify(metadata.sessionsWith(passing, numbers));
        const any = new Set(withAny.all(asked, ...values).map(({ no }) => Number(no)));
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
  };
};
