import {
  PROJECTION_NAMES,
  PROJECTIONS,
  type ProjectionName,
  type WritesOf,
} from '../../../../projections/all.ts';
import { digestNumber } from '../../../../projections/verify/row.ts';
import { RECALL } from '../write/recall/stored-recall.ts';
import type { StoredProjection } from '../write/stored.ts';
import { ACCOUNTS } from '../write/stored-accounts.ts';
import { ACTIVITY } from '../write/stored-activity.ts';
import { AUDIT } from '../write/stored-audit.ts';
import { USAGE } from '../write/stored-usage.ts';

/**
 * The projections in the projections' file, in the order in which they write: usage bills the turns that
 * recall found to be new, which it takes from the step's list. To add a projection, add a line here.
 */
export const STORED_PROJECTIONS: { [Name in ProjectionName]: StoredProjection<WritesOf[Name][number]> } = {
  recall: RECALL,
  usage: USAGE,
  accounts: ACCOUNTS,
  audit: AUDIT,
  activity: ACTIVITY,
};

/** The tables of the file, in the order in which they are created. */
export const TABLES: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
   CREATE TABLE IF NOT EXISTS positions (partition TEXT PRIMARY KEY, offset INTEGER NOT NULL) WITHOUT ROWID;`,
  ...Object.values(STORED_PROJECTIONS).map(({ tables }) => tables),
];

/** Increased when the bytes in a column are of another form, which its table doesn't show. */
const BYTES = 11;
const numbered = (fields: readonly string[]): string => `${BYTES}-${digestNumber(fields)}`;

/** Returns another text for other tables, or others in another order. Comments and spaces don't count. */
export const formatOf = (tables: readonly string[]): string =>
  numbered(tables.map(sql => sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim()));

/** A file of another format can't be read and is rebuilt from the log. */
export const PROJECTIONS_FORMAT = formatOf(TABLES);
/**
 * Another one for another format or projection, or for one of another version. A file of another version is
 * read but never written; a generation of this version is built beside it.
 */
export const PROJECTIONS_VERSION = numbered([
  PROJECTIONS_FORMAT,
  ...PROJECTION_NAMES.map(name => `${name} ${PROJECTIONS[name].version}`),
]);
