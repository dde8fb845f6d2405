import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { Horizon } from '../../../../../domain/search/horizon.ts';
import { openProjectionsReader } from '../../file/projections-database.ts';
import { passesAsked } from '../lists/asked-metadata.ts';

/**
 * Returns SQL for the latest instant up to which an organization's retention has removed recorded data; null
 * without one. `org` is an expression.
 */
const goneBy = (org: string): string =>
  `(SELECT max(min(r.until, reader_now()) - r.ms) FROM main.retentions r WHERE r.org = ${org} AND r.since <= reader_now())`;

/**
 * Returns the condition that a row has not expired. The organization is looked up only if any has a
 * retention.
 */
const isLiving = (row: string, org: string): string =>
  `CASE WHEN ${row}.expires IS NOT NULL THEN ${row}.expires > reader_now()
   WHEN NOT EXISTS (SELECT 1 FROM main.retentions) THEN 1
   ELSE ${row}.kept_from > coalesce(${goneBy(org)}, -1e300) END`;

/**
 * Returns the condition for a row of main.fragments, for statements that name an index, which no view can.
 */
export const IS_LIVING_FRAGMENT = (row: string): string =>
  isLiving(row, `(SELECT o.org FROM main.scopes o WHERE o.no = ${row}.organization)`);

/** Returns the condition for a mention, or for its finding: both have the same expiry. */
const isLivingMention = (row: string, entity: string): string =>
  isLiving(
    row,
    `(SELECT o.org FROM main.entities n JOIN main.scopes o ON o.no = n.partition WHERE n.no = ${entity})`,
  );

/**
 * Returns the end of a query for the spellings w of an entity that a mention still has. It looks for one
 * mention of each spelling: an entity has few spellings and may have a million mentions.
 *
 * @param entity an expression for the entity's number
 * @param counts a condition for mentions m, beside that they have not expired
 */
export const fromSpellings = (entity: string, counts = 'TRUE'): string =>
  `FROM main.spellings w WHERE w.entity = ${entity} AND EXISTS
     (SELECT 1 FROM temp.spelled m WHERE m.entity = w.entity AND m.spelling = w.no AND ${counts})`;

/**
 * A label that only expired mentions spell is not shown, so the stored label is right only while nothing
 * waits to be swept.
 */
const SPELLING = (column: 'label' | 'kind'): string =>
  `CASE WHEN EXISTS (SELECT 1 FROM main.findings WHERE expires <= reader_now()) OR EXISTS (SELECT 1 FROM main.retentions)
   THEN (SELECT min(w.${column}) ${fromSpellings('e.no')}) ELSE ${column} END AS ${column}`;

/**
 * Views with the names of the tables, so that no statement reads expired rows unless it says main. SQLite
 * merges a view of this form into the statement, which then uses the table's indices, and asks for the time
 * once per statement.
 */
const VIEWS = `
  CREATE TEMP VIEW fragments AS SELECT * FROM main.fragments f WHERE ${IS_LIVING_FRAGMENT('f')};
  CREATE TEMP VIEW mentions AS SELECT * FROM main.mentions m WHERE ${isLivingMention('m', 'm.entity')};
  CREATE TEMP VIEW turn_mentions AS SELECT * FROM main.turn_mentions m WHERE ${isLivingMention('m', 'm.entity')};
  CREATE TEMP VIEW spelled AS SELECT n.entity, n.spelling, f.recorded
    FROM main.named n CROSS JOIN main.findings f ON f.no = n.finding WHERE ${isLivingMention('f', 'n.entity')};
  CREATE TEMP VIEW entities AS SELECT no, partition, normalised, id, ${SPELLING('label')}, ${SPELLING('kind')}
    FROM main.entities e;
`;

/** Numbers the connections, and so the files whose row numbers were read. */
let opened = 0;

/**
 * Opens a projections' file for answers, which contain no data that has expired by this clock, swept or not.
 *
 * @param clock Unix milliseconds
 */
export const openAnswersReader = (path: string, clock: () => number): DatabaseSync => {
  const database = openProjectionsReader(path);
  database.function('reader_now', { deterministic: true }, clock);
  database.function('reader_passes', passesAsked);
  const id = ++opened;
  database.function('reader_id', { deterministic: true }, () => id);
  database.exec(VIEWS);
  return database;
};

/** A connection of this kind, or one that translates its errors. */
interface Reader {
  prepare(sql: string): {
    get(...values: SQLInputValue[]): Record<string, SQLOutputValue> | undefined;
  };
}

/** Returns an organization's horizon, for reads without a statement. */
export const openHorizons = (reader: Reader): ((org: string) => Horizon) => {
  const read = reader.prepare(`SELECT reader_now() AS now, ${goneBy('?1')} AS gone`);
  return org => {
    const { now, gone } = read.get(org)!;
    return { now: Number(now), ...(gone !== null && { keptAfter: Number(gone) }) };
  };
};
