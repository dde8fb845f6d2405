import type { EntityScope, ListedEntity, Listing, NamedEntity, Scope } from '../../../../../core/ports.ts';
import { bytesOfTurnId, NEVER } from '../../file/projections-database.ts';
import type { ProjectionsReader } from '../projections-reader.ts';
import type { SessionNames, WalkedSessions } from './listed-sessions.ts';
import { type PassingReader, passesIn, passingValue } from './passing-metadata.ts';

/** Entities read before yielding. */
const AT_ONCE = 1_000;

/** Entities counted before yielding under a filter: their passing metadata is found once for all. */
const COUNTED_TOGETHER = 20;

/** Turns of a session read before yielding. */
const TURNS_AT_ONCE = 1_000;

interface Cursor {
  user: string;
  normalised: string;
}

interface TurnCursor {
  timestamp: number;
  offset: number;
  id: Uint8Array;
}

/** Sorts before every turn. */
const FIRST: TurnCursor = { timestamp: -NEVER, offset: -1, id: new Uint8Array() };
/** The kinds of fragments that are turns, with and without their text. */
const TURNS = [0, 2];

const COLUMNS = 'e.id, e.normalised, e.label, e.kind';

type Row = Record<string, unknown>;
type Pace = () => () => Promise<void>;

/**
 * Lists entities of a projections' file: those of whole users along their index, those of a session or a turn
 * through its turns, since most of a user's entities are in neither.
 */
export const openListedEntities = (
  reader: ProjectionsReader,
  sessions: WalkedSessions,
  metadata: PassingReader,
  makeYieldWhenDue: Pace,
): Pick<Listing, 'entities' | 'entitiesById' | 'naming' | 'named'> => {
  const ofUsers = openOfUsers(reader, metadata, makeYieldWhenDue);
  const ofSessions = openOfSessions(reader, sessions, metadata, makeYieldWhenDue);
  const ofTurn = reader.prepare(
    `SELECT DISTINCT p.user, ${COLUMNS}, (SELECT count(DISTINCT o.turn) FROM mentions o
         WHERE o.entity = m.entity AND (?4 IS NULL OR o.session = m.session)
           AND ${passesIn('o.metadata', '?9')}) AS turns
     FROM mentions m CROSS JOIN entities e ON e.no = m.entity
     CROSS JOIN sessions s ON s.no = m.session CROSS JOIN scopes p ON p.no = e.partition
     WHERE m.turn = ?1 AND p.org = ?2 AND (?3 IS NULL OR p.user = ?3) AND (?4 IS NULL OR s.name = ?4)
       AND ${passesIn('m.metadata', '?9')}
       AND (?5 IS NULL OR e.kind = ?5) AND (p.user, e.normalised) > (?6, ?7)
     ORDER BY p.user, e.normalised LIMIT ?8`,
  );
  const named = reader.prepare(
    `SELECT DISTINCT p.user, ${COLUMNS} FROM mentions m CROSS JOIN entities e ON e.no = m.entity
     CROSS JOIN scopes p ON p.no = e.partition
     WHERE m.turn = ?1 AND p.org = ?2 AND (?3 IS NULL OR p.user = ?3) ORDER BY p.user, e.normalised`,
  );

  const byId = reader.prepare(
    `SELECT ${COLUMNS}, (SELECT count(DISTINCT m.turn) FROM mentions m WHERE m.entity = e.no
         AND (?4 IS NULL OR m.session = (SELECT no FROM sessions WHERE partition = p.no AND name = ?4))
         AND ${passesIn('m.metadata', '?5')}) AS turns
     FROM json_each(?3) j CROSS JOIN scopes p CROSS JOIN entities e ON e.partition = p.no AND e.id = j.value
     WHERE p.org = ?1 AND p.user = ?2`,
  );

  const naming = reader.prepare(
    `SELECT count(DISTINCT m.turn) AS turns FROM scopes p CROSS JOIN entities e ON e.partition = p.no
     CROSS JOIN mentions m ON m.entity = e.no
     WHERE p.org = ?1 AND p.user = ?2 AND e.normalised IN (SELECT value FROM json_each(?3))
       AND (?4 IS NULL OR m.session = (SELECT no FROM sessions WHERE partition = p.no AND name = ?4))
       AND ${passesIn('m.metadata', '?5')}`,
  );

  const asOfOne = reader.prepare(
    `SELECT min(m.label) AS label, min(m.kind) AS kind, count(DISTINCT CASE WHEN (?5 IS NULL OR m.session =
         (SELECT no FROM sessions WHERE partition = p.no AND name = ?5)) AND ${passesIn('m.metadata', '?6')}
         THEN m.turn END) AS turns
     FROM scopes p CROSS JOIN entities e ON e.partition = p.no CROSS JOIN mentions m ON m.entity = e.no
     WHERE p.org = ?1 AND p.user = ?2 AND e.normalised = ?3 AND m.recorded <= ?4`,
  );
  /** Returns these entities as of `asOf`; those without turns by then are left out. */
  const recordedBy = (scope: EntityScope, found: readonly ListedEntity[]): ListedEntity[] => {
    const { org, session, asOf } = scope;
    if (asOf === undefined) return [...found];
    const passing = passingValue(metadata.inScope(scope));
    return found.flatMap(entity => {
      const row = asOfOne.get(org, entity.user, entity.normalised, asOf, session ?? null, passing)!;
      const turns = Number(row.turns);
      return turns === 0 ? [] : [{ ...entity, label: String(row.label), kind: String(row.kind), turns }];
    });
  };

  const entities: Listing['entities'] = async (scope, { kind, turnId }, after, limit) => {
    const { org, user, session } = scope;
    if (turnId !== undefined) {
      const id = bytesOfTurnId(turnId);
      const names = [user ?? null, session ?? null, kind ?? null];
      const behind = [after?.user ?? '', after?.normalised ?? ''];
      const passing = passingValue(metadata.inScope(scope));
      const rows = id ? ofTurn.all(id, org, ...names, ...behind, limit, passing) : [];
      return rows.map(row => entityOf(row, String(row.user)));
    }
    return session === undefined
      ? ofUsers(scope, kind, after, limit)
      : ofSessions({ ...scope, session }, kind, after, limit);
  };

  return {
    naming: async ({ org, user, session, filter }, normalised) => {
      const passing = passingValue(metadata.inScope({ org, user, filter }));
      return Number(naming.get(org, user, JSON.stringify(normalised), session ?? null, passing)!.turns);
    },
    entitiesById: async (scope, ids) => {
      const { org, user, session } = scope;
      const rows = byId.all(
        org,
        user,
        JSON.stringify(ids),
        session ?? null,
        passingValue(metadata.inScope(scope)),
      );
      const found = rows.map(row => entityOf(row, user)).filter(({ turns }) => turns > 0);
      return recordedBy(scope, found);
    },
    entities: async (scope, filter, after, limit) => {
      if (scope.asOf === undefined) return entities(scope, filter, after, limit);
      // At that time its kind may have been another one.
      const { kind, turnId } = filter;
      const found: ListedEntity[] = [];
      for (let from = after; found.length < limit; ) {
        const next = await entities(scope, { turnId }, from, limit);
        found.push(...recordedBy(scope, next).filter(one => (kind ?? one.kind) === one.kind));
        if (next.length < limit) break;
        from = next.at(-1)!;
      }
      return found.slice(0, limit);
    },
    named: async ({ org, user }, turnId) => {
      const id = bytesOfTurnId(turnId);
      const rows = id ? named.all(id, org, user ?? null) : [];
      return rows.map(row => namedOf(row, String(row.user)));
    },
  };
};

/** Lists entities of whole users, along their index. */
const openOfUsers = (reader: ProjectionsReader, metadata: PassingReader, makeYieldWhenDue: Pace) => {
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

  const countPassing = reader.prepare(
    `SELECT count(DISTINCT m.turn) AS turns FROM scopes p CROSS JOIN entities e ON e.partition = p.no
     CROSS JOIN mentions m ON m.entity = e.no WHERE p.org = ?1 AND p.user = ?2 AND e.normalised = ?3
       AND ${passesIn('m.metadata', '?4')}`,
  );

  /** Returns the rows with their numbers of turns. Never awaits: row numbers are valid in one file only. */
  const counted = (scope: Pick<Scope, 'org' | 'user' | 'filter'>, rows: readonly Row[]): Row[] => {
    const { org, filter } = scope;
    const passing = filter && passingValue(metadata.inScope(scope));
    return rows.map(row => {
      const names = [org, String(row.user), String(row.normalised)];
      return { ...row, ...(passing ? countPassing.get(...names, passing) : countTurns.get(...names)) };
    });
  };

  const nextOfUsers = (org: string, user: string | undefined, after: Cursor | undefined, limit: number) => {
    const first = user ?? after?.user;
    const isAfter = after !== undefined && after.user === first;
    const rows = first === undefined ? [] : ofUser.all(org, first, isAfter ? after.normalised : '', limit);
    if (user === undefined && rows.length < limit)
      rows.push(...ofOthers.all(org, first ?? '', null, limit - rows.length));
    return rows;
  };

  return async (
    scope: Pick<Scope, 'org' | 'user' | 'filter'>,
    kind: string | undefined,
    after: Cursor | undefined,
    limit: number,
  ): Promise<ListedEntity[]> => {
    const { org, user, filter } = scope;
    const found: ListedEntity[] = [];
    const yieldWhenDue = makeYieldWhenDue();
    const together = filter ? COUNTED_TOGETHER : 1;
    // Only a few entities may have this kind.
    const atOnce = kind === undefined ? limit : AT_ONCE;
    for (let from = after; found.length < limit; ) {
      const rows = nextOfUsers(org, user, from, atOnce);
      const wanted = rows.filter(row => kind === undefined || row.kind === kind);
      for (let at = 0; at < wanted.length && found.length < limit; at += together) {
        const entities = counted(scope, wanted.slice(at, at + together));
        // Without turns it was erased after the page was read, or none of its turns passes.
        found.push(...entities.map(row => entityOf(row, String(row.user))).filter(({ turns }) => turns > 0));
        await yieldWhenDue();
      }
      const last = rows.at(-1);
      if (!last || rows.length < atOnce) break;
      from = { user: String(last.user), normalised: String(last.normalised) };
      await yieldWhenDue();
    }
    return found.slice(0, limit);
  };
};

/** Lists entities of sessions, through their turns. */
const openOfSessions = (
  reader: ProjectionsReader,
  sessions: WalkedSessions,
  metadata: PassingReader,
  makeYieldWhenDue: Pace,
) => {
  const turnsOfSession = reader.prepare(
    `SELECT timestamp, offset, id FROM fragments WHERE session = ?1 AND kind = ?2 AND timestamp >= ?3
       AND (timestamp, offset, id) > (?3, ?4, ?5) ORDER BY timestamp, offset, id LIMIT ?6`,
  );
  const namedBy = reader.prepare(
    `SELECT ${COLUMNS}, count(DISTINCT m.turn) AS turns
     FROM json_each(?1) f CROSS JOIN mentions m ON m.turn = unhex(f.value) CROSS JOIN entities e ON e.no = m.entity
     WHERE m.session = ?2 AND e.normalised > ?3 AND ${passesIn('m.metadata', '?4')} GROUP BY e.no`,
  );

  /** Looks the number up for every slice: row numbers differ in another generation's file. */
  const numberOf = (org: string, user: string, session: string): number | undefined =>
    sessions.next({ org, user, session }, 'asc', undefined, 1)[0]?.no;

  /** Returns the entities that a session's turns name, after a label; reads in slices, for long sessions. */
  const ofSession = async (
    scope: Pick<Scope, 'org' | 'user' | 'filter'>,
    { user, session }: SessionNames,
    after: string,
    yieldWhenDue: () => Promise<void>,
  ): Promise<ListedEntity[]> => {
    const found = new Map<string, ListedEntity>();
    for (const kind of TURNS) {
      let from = FIRST;
      for (;;) {
        const no = numberOf(scope.org, user, session);
        if (!no) return [];
        const turns = turnsOfSession.all(no, kind, from.timestamp, from.offset, from.id, TURNS_AT_ONCE);
        const ids = JSON.stringify(turns.map(({ id }) => Buffer.from(id as Uint8Array).toString('hex')));
        const passing = passingValue(metadata.inSessions(scope, [no]));
        for (const named of namedBy.all(ids, no, after, passing)) {
          const entity = entityOf(named, user);
          const before = found.get(entity.normalised)?.turns ?? 0;
          found.set(entity.normalised, { ...entity, turns: entity.turns + before });
        }
        if (turns.length < TURNS_AT_ONCE) break;
        from = turns.at(-1) as unknown as TurnCursor;
        await yieldWhenDue();
      }
    }
    // The session was erased meanwhile: drop the entities already found.
    if (!numberOf(scope.org, user, session)) return [];
    return sorted([...found.values()]);
  };

  return async (
    scope: Pick<Scope, 'org' | 'user' | 'filter'> & { session: string },
    kind: string | undefined,
    after: Cursor | undefined,
    limit: number,
  ): Promise<ListedEntity[]> => {
    const found: ListedEntity[] = [];
    const yieldWhenDue = makeYieldWhenDue();
    const list = async (names: SessionNames, behind: string): Promise<void> => {
      const entities = await ofSession(scope, names, behind, yieldWhenDue);
      found.push(...entities.filter(entity => kind === undefined || entity.kind === kind));
    };
    const cursor = after && { user: after.user, session: scope.session };
    if (cursor && (scope.user ?? cursor.user) === cursor.user) await list(cursor, after.normalised);
    for (let from = cursor; found.length < limit; ) {
      const [next] = sessions.next(scope, 'asc', from, 1);
      if (!next) break;
      await list(next, '');
      from = next;
      await yieldWhenDue();
    }
    return found.slice(0, limit);
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

/** Sorts by normalised label, in the order of UTF-8 bytes. */
const sorted = (entities: readonly ListedEntity[]): ListedEntity[] =>
  entities
    .map(entity => ({ entity, bytes: Buffer.from(entity.normalised) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ entity }) => entity);
