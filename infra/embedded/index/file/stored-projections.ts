import type { ProjectionName, WritesOf } from '../../../../projections/all.ts';
import { ACCOUNTS } from '../write/accounts.ts';
import { RECALL } from '../write/recall/recall.ts';
import type { StoredProjection } from '../write/stored.ts';
import { USAGE } from '../write/usage.ts';

/** Increased when the tables change: a file of another format can't be read and is rebuilt from the log. */
export const PROJECTIONS_FORMAT = '10';
/**
 * Increased when a projection is added or writes other data into the same tables, and whenever the format is.
 * A file of another version is read but never written; a generation of this version is built beside it.
 */
export const PROJECTIONS_VERSION = '12';

/**
 * The projections in the projections' file, in the order in which they write: usage bills the turns that
 * recall found to be new, which it takes from the step's list. To add a projection, add a line here and
 * increase the version.
 */
export const STORED_PROJECTIONS: { [Name in ProjectionName]: StoredProjection<WritesOf[Name][number]> } = {
  recall: RECALL,
  usage: USAGE,
  accounts: ACCOUNTS,
};
