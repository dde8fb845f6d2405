import type { ListedEntity, Scope } from '../../../../../../core/ports.ts';
import { NEVER } from '../../../file/projections-database.ts';
import type { ProjectionsReader } from '../../projections-reader.ts';
import type { SessionNames, WalkedSessions } from '../listed-sessions.ts';
import { type PassingReader, passesIn, passingValue } from '../passing-metadata.ts';
import type { Cursor, Pace } from './entity-rows.ts';
import { COLUMNS, entityOf } from './entity-rows.ts';

/** Turns of a session read before yielding. */
const TURNS_AT_ONCE = 1_000;

interface TurnCursor {
  timestamp: number;
  offset: number;
  id: Uint8Array;
}

/** Sorts before every turn. */
const FIRST: TurnCursor = { timestamp: -NEVER, offset: -1, id: new Uint8Array() };
/** The kinds of fragments that are turns, with and without their text. */
const TURNS = [0, 2];

/** Lists entities of sessions, through their turns. */
export const openOfSessions = (
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
     FROM json_each(?1) f CROSS JOIN turn_mentions m ON m.turn = unhex(f.value) CROSS JOIN entities e ON e.no = m.entity
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

/** Sorts by normalised label, in the order of UTF-8 bytes. */
const sorted = (entities: readonly ListedEntity[]): ListedEntity[] =>
  entities
    .map(entity => ({ entity, bytes: Buffer.from(entity.normalised) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ entity }) => entity);
