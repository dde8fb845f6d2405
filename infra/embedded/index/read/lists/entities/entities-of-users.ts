import type { ListedEntity, Scope } from '../../../../../../core/ports.ts';
import type { ProjectionsReader } from '../../projections-reader.ts';
import { type PassingReader, passesIn, passingValue } from '../passing-metadata.ts';
import { COLUMNS, type Cursor, entityOf, type Pace, type Row } from './entity-rows.ts';

/** Entities read before yielding. */
const AT_ONCE = 1_000;

/** Entities counted before yielding under a filter: their passing metadata is found once for all. */
const COUNTED_TOGETHER = 20;

/** Lists entities of whole users, along their index. */
export const openOfUsers = (reader: ProjectionsReader, metadata: PassingReader, makeYieldWhenDue: Pace) => {
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
