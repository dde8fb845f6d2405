import type { ListedEntity, Listing, NamedEntity, Scope } from '../../services/ports.ts';
import type { WalkedSessions } from './listed-sessions.ts';
import { bytesOfTurnId } from './projections-database.ts';
import type { ProjectionsReader } from './projections-reader.ts';

/** Entities that are looked through before others get their turn. */
const AT_ONCE = 1_000;

interface Place {
  user: string;
  normalised: string;
}

const COLUMNS = 'e.id, e.normalised, e.label, e.kind';

/**
 * Entities of a projections' file: those of whole users along their index, those of a session or a turn by way of its
 * turns, since most of a user's are in neither.
 */
export const openListedEntities = (
  reader: ProjectionsReader,
  sessions: WalkedSessions,
  makeBreathe: () => () => Promise<void>,
): Pick<Listing, 'entities' | 'named'> => {
  const walk = (users: string) =>
    reader.prepare(
      `SELECT p.user, ${COLUMNS} FROM scopes p CROSS JOIN entities e ON e.partition = p.no
       WHERE p.org = ?1 AND ${users} ORDER BY p.user, p.no, e.normalised LIMIT ?4`,
    );
  const ofUser = walk('p.user = ?2 AND e.normalised > ?3');
  const ofOthers = walk('p.user > ?2 AND ?3 IS NULL');
  const countTurns = reader.prepare(
    `SELECT count(DISTINCT m.turn) AS turns FROM scopes p CROSS JOIN entities e ON e.partition = p.no
     CROSS JOIN mentions m ON m.entity = e.no WHERE p.org = ? AND p.user = ? AND e.normalised = ?`,
  );
  const ofSession = reader.prepare(
    `SELECT ${COLUMNS}, count(DISTINCT m.turn) AS turns
     FROM fragments f CROSS JOIN mentions m ON m.turn = f.id CROSS JOIN entities e ON e.no = m.entity
     WHERE f.session = ?1 AND f.kind <> 1 AND m.session = ?1 AND e.normalised > ?2 AND (?3 IS NULL OR e.kind = ?3)
     GROUP BY e.normalised ORDER BY e.normalised LIMIT ?4`,
  );
  const ofTurn = reader.prepare(
    `SELECT DISTINCT p.user, ${COLUMNS}, (SELECT count(DISTINCT o.turn) FROM mentions o
         WHERE o.entity = m.entity AND (?4 IS NULL OR o.session = m.session)) AS turns
     FROM mentions m CROSS JOIN entities e ON e.no = m.entity
     CROSS JOIN sessions s ON s.no = m.session CROSS JOIN scopes p ON p.no = e.partition
     WHERE m.turn = ?1 AND p.org = ?2 AND (?3 IS NULL OR p.user = ?3) AND (?4 IS NULL OR s.name = ?4)
       AND (?5 IS NULL OR e.kind = ?5) AND (p.user, e.normalised) > (?6, ?7)
     ORDER BY p.user, e.normalised LIMIT ?8`,
  );
  const named = reader.prepare(
    `SELECT DISTINCT p.user, ${COLUMNS} FROM mentions m CROSS JOIN entities e ON e.no = m.entity
     CROSS JOIN scopes p ON p.no = e.partition
     WHERE m.turn = ?1 AND p.org = ?2 AND (?3 IS NULL OR p.user = ?3) ORDER BY p.user, e.normalised`,
  );

  const ofUsers = async (
    { org, user }: Pick<Scope, 'org' | 'user'>,
    kind: string | undefined,
    after: Place | undefined,
    limit: number,
  ): Promise<ListedEntity[]> => {
    const found: ListedEntity[] = [];
    const breathe = makeBreathe();
    // Of a kind there may be few.
    const atOnce = kind === undefined ? limit : AT_ONCE;
    for (let from = after; found.length < limit; ) {
      const rows = nextOfUsers(org, user, from, atOnce);
      for (const row of rows) {
        if (found.length === limit) break;
        if (kind !== undefined && row.kind !== kind) continue;
        const entity = entityOf(
          { ...row, ...countTurns.get(org, String(row.user), String(row.normalised)) },
          String(row.user),
        );
        // Without a turn it was erased since it was named.
        if (entity.turns > 0) found.push(entity);
        await breathe();
      }
      const last = rows.at(-1);
      if (!last || rows.length < atOnce) break;
      from = { user: String(last.user), normalised: String(last.normalised) };
      await breathe();
    }
    return found;
  };

  const nextOfUsers = (org: string, user: string | undefined, after: Place | undefined, limit: number) => {
    const first = user ?? after?.user;
    const isBehind = after !== undefined && after.user === first;
    const rows = first === undefined ? [] : ofUser.all(org, first, isBehind ? after.normalised : '', limit);
    if (user === undefined && rows.length < limit)
      rows.push(...ofOthers.all(org, first ?? '', null, limit - rows.length));
    return rows;
  };

  const ofSessions = async (
    scope: Pick<Scope, 'org' | 'user' | 'session'>,
    kind: string | undefined,
    after: Place | undefined,
    limit: number,
  ): Promise<ListedEntity[]> => {
    const found: ListedEntity[] = [];
    const place = after && { user: after.user, session: scope.session! };
    await sessions.walk(scope, 'asc', place, (rows, ofPlace) => {
      for (const { no, user } of rows) {
        if (found.length === limit) return 'enough';
        const behind = ofPlace ? after!.normalised : '';
        const entities = ofSession.all(no, behind, kind ?? null, limit - found.length);
        found.push(...entities.map(row => entityOf(row, user)));
      }
      return found.length === limit ? 'enough' : 'more';
    });
    return found;
  };

  return {
    entities: async (scope, { kind, turnId }, after, limit) => {
      if (turnId !== undefined) {
        const id = bytesOfTurnId(turnId);
        const { org, user, session } = scope;
        const names = [user ?? null, session ?? null, kind ?? null];
        const behind = [after?.user ?? '', after?.normalised ?? ''];
        const rows = id ? ofTurn.all(id, org, ...names, ...behind, limit) : [];
        return rows.map(row => entityOf(row, String(row.user)));
      }
      return scope.session === undefined
        ? ofUsers(scope, kind, after, limit)
        : ofSessions(scope, kind, after, limit);
    },
    named: async ({ org, user }, turnId) => {
      const id = bytesOfTurnId(turnId);
      const rows = id ? named.all(id, org, user ?? null) : [];
      return rows.map(row => namedOf(row, String(row.user)));
    },
  };
};

const namedOf = (row: Record<string, unknown>, user: string): NamedEntity => ({
  user,
  id: String(row.id),
  label: String(row.label),
  kind: String(row.kind),
});

const entityOf = (row: Record<string, unknown>, user: string): ListedEntity => ({
  ...namedOf(row, user),
  normalised: String(row.normalised),
  turns: Number(row.turns ?? 0),
});
