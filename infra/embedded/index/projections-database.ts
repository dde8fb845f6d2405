import { DatabaseSync } from 'node:sqlite';
import type { Origin } from '../../../projections/recall/projection.ts';
import type { Positions } from '../../../services/core/ports.ts';
import { positionsOf, READ_POSITIONS } from './positions.ts';

/**
 * The projections' file: everything that queries read, all of it rebuildable from the log. Its commits aren't synced:
 * after a power cut the file is consistent at an older position, and catches up.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS positions (place TEXT PRIMARY KEY, offset INTEGER NOT NULL) WITHOUT ROWID;

  -- A scope is a user partition (org, user) or a whole organization (org, null): its key is their JSON. Its fragments
  -- are in segments, listed by level and first fragment, and the last ones loose: lists of u32. Eight segments of a
  -- level merge into one of the next. Only an erasure changes a segment, which "rewritten" counts. "owner" is how an
  -- erasure names the scope (scopeDigest of its key). Row numbers are never reused, here and for fragments, so that a
  -- remembered one can't identify another row.
  CREATE TABLE IF NOT EXISTS scopes (no INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE,
    org TEXT NOT NULL, user TEXT, owner TEXT NOT NULL, rewritten INTEGER NOT NULL, segments BLOB NOT NULL, loose BLOB NOT NULL);
  CREATE INDEX IF NOT EXISTS scopes_by_name ON scopes (org, user);
  CREATE INDEX IF NOT EXISTS scopes_by_owner ON scopes (owner);
  CREATE TABLE IF NOT EXISTS segments (scope INTEGER NOT NULL, level INTEGER NOT NULL, first INTEGER NOT NULL,
    bytes BLOB NOT NULL, PRIMARY KEY (scope, first, level));
  -- Roles of a whole scope's turns; those of a part of it are in the segments.
  CREATE TABLE IF NOT EXISTS speakers (scope INTEGER NOT NULL, role TEXT NOT NULL, PRIMARY KEY (scope, role))
    WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS sessions (no INTEGER PRIMARY KEY, partition INTEGER NOT NULL, name TEXT NOT NULL,
    UNIQUE (partition, name));

  -- kind 0: turn, 1: observation, 2: the identity of a turn that was not to be stored. Here and below: place (see
  -- placeNumber) and offset are the address of the event in the log, recorded when the service recorded the event.
  -- "tokens" is of turns whose envelope doesn't say what they bill.
  CREATE TABLE IF NOT EXISTS fragments (no INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB NOT NULL, kind INTEGER NOT NULL,
    organization INTEGER NOT NULL, partition INTEGER NOT NULL, session INTEGER NOT NULL,
    timestamp INTEGER NOT NULL, passive INTEGER NOT NULL,
    turn BLOB, source TEXT, role TEXT NOT NULL, place INTEGER NOT NULL, offset INTEGER NOT NULL,
    told INTEGER NOT NULL, recorded INTEGER NOT NULL, tokens INTEGER, document BLOB NOT NULL, text BLOB NOT NULL);
  CREATE UNIQUE INDEX IF NOT EXISTS fragments_by_id ON fragments (id);
  CREATE INDEX IF NOT EXISTS fragments_of_session ON fragments (session, kind, timestamp, offset, id);
  CREATE INDEX IF NOT EXISTS observations_of_turn ON fragments (turn) WHERE kind = 1;
  -- The feed: an organization's fragments in the order in which they are read in the log. "told" is the offset; of a
  -- requeued event, which has the address of another record, the copy's offset: a stream may be past the address.
  CREATE INDEX IF NOT EXISTS fragments_by_place ON fragments (organization, place, told, partition)
    WHERE kind < 2;

  CREATE TABLE IF NOT EXISTS enrichments (session INTEGER NOT NULL, turn BLOB NOT NULL, outcome TEXT NOT NULL,
    reason TEXT, place INTEGER NOT NULL, offset INTEGER NOT NULL, recorded INTEGER NOT NULL,
    PRIMARY KEY (session, turn)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS entities (no INTEGER PRIMARY KEY, partition INTEGER NOT NULL, normalised TEXT NOT NULL,
    id TEXT NOT NULL, label TEXT NOT NULL, kind TEXT NOT NULL, UNIQUE (partition, normalised));
  -- One row for each spelling: which one an entity shows must not depend on which came first.
  CREATE TABLE IF NOT EXISTS mentions (entity INTEGER NOT NULL, turn BLOB NOT NULL, label TEXT NOT NULL,
    kind TEXT NOT NULL, place INTEGER NOT NULL, offset INTEGER NOT NULL, recorded INTEGER NOT NULL,
    session INTEGER NOT NULL, PRIMARY KEY (entity, turn, label, kind)) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS mentions_of_turn ON mentions (turn);
  CREATE TABLE IF NOT EXISTS jobs (id TEXT PRIMARY KEY, org TEXT NOT NULL, user TEXT NOT NULL,
    session INTEGER NOT NULL, passive INTEGER NOT NULL, turns BLOB NOT NULL, place INTEGER NOT NULL,
    offset INTEGER NOT NULL, recorded INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS jobs_of_session ON jobs (session);

  -- Billed events that are no turns, and erased turns: any other turn is billed when its fragment is new.
  CREATE TABLE IF NOT EXISTS usage_rows (id TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS usage_days (org TEXT NOT NULL, day TEXT NOT NULL, tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL, PRIMARY KEY (org, day)) WITHOUT ROWID;

  CREATE TABLE IF NOT EXISTS account_documents (kind TEXT NOT NULL, id TEXT NOT NULL, org TEXT NOT NULL,
    document TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS account_documents_by_org ON account_documents (kind, org);
  CREATE TABLE IF NOT EXISTS account_events (id TEXT PRIMARY KEY) WITHOUT ROWID;
`;

/** Indices that writes don't use; creating them at the end costs a third. */
const READ_INDICES = ['observations_of_turn', 'mentions_of_turn', 'fragments_by_place'];

/** The latest instant of a `Date`, Unix milliseconds; the earliest is its negative. */
export const NEVER = 8_640_000_000_000_000;

/** Increased when the tables change: a file of another format can't be read and is rebuilt from the log. */
export const PROJECTIONS_FORMAT = '6';
/**
 * Increased when a projection writes something else into the same tables, and with the format: a file of another version
 * is read but never written; a generation of this version is built beside it.
 */
export const PROJECTIONS_VERSION = '6';

export const createProjectionsDatabase = (path: string): DatabaseSync => {
  const database = new DatabaseSync(path, { timeout: 5_000 });
  database.exec(
    `PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32768;
     PRAGMA wal_autocheckpoint = 4000; PRAGMA secure_delete = ON`,
  );
  database.exec(SCHEMA);
  database.exec(
    `INSERT OR IGNORE INTO meta VALUES ('version', '${PROJECTIONS_VERSION}'), ('format', '${PROJECTIONS_FORMAT}')`,
  );
  return database;
};

/** A file's format, version and positions; undefined when it is not a projections' file. */
export const describeProjections = (
  path: string,
): { format: string; version: string; positions: Positions } | undefined => {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    const meta = new Map(
      database
        .prepare('SELECT name, value FROM meta')
        .all()
        .map(row => [String(row.name), String(row.value)]),
    );
    const version = meta.get('version');
    if (version === undefined) return undefined;
    const positions = positionsOf(database.prepare(READ_POSITIONS).all());
    // Before files named their format, each version had its own.
    return { format: meta.get('format') ?? version, version, positions };
  } catch {
    return undefined;
  } finally {
    database?.close();
  }
};

/** Checkpoints a file that nobody else has open, so that it has no WAL; false when it is not a projections' file. */
export const settleProjections = (path: string): boolean => {
  if (!describeProjections(path)) return false;
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return true;
  } finally {
    database.close();
  }
};

/**
 * For a file that is built from the first event and searched by nobody yet: a larger cache, none of the indices that
 * only searches use, and few checkpoints, since its pages are rewritten many times. Checkpoints stay synced: a power cut
 * loses the time since the last one, and no page. Call the returned function before the file is closed; the next
 * `createProjectionsDatabase` creates the indices.
 */
export const tuneForBuilding = (database: DatabaseSync): (() => void) => {
  database.exec('PRAGMA cache_size = -131072; PRAGMA wal_autocheckpoint = 32000');
  for (const name of READ_INDICES) database.exec(`DROP INDEX IF EXISTS ${name}`);
  return () => database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
};

export const openProjectionsReader = (path: string): DatabaseSync => {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  database.exec('PRAGMA cache_size = -24576');
  return database;
};

/** `trn_` + 32 hexadecimal digits as 16 bytes; undefined when it is no such id. */
export const bytesOfId = (id: string): Uint8Array | undefined =>
  /^[a-z]{3}_[0-9a-f]{32}$/.test(id) ? Buffer.from(id.slice(4), 'hex') : undefined;

/** The same, for ids of turns only: the digits of another kind's id identify no turn. */
export const bytesOfTurnId = (id: string): Uint8Array | undefined =>
  id.startsWith('trn_') ? bytesOfId(id) : undefined;

export const idOfBytes = (prefix: 'trn_' | 'obs_', bytes: Uint8Array): string =>
  prefix + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');

export const scopeKey = (org: string, user?: string): string =>
  JSON.stringify(user === undefined ? [org] : [org, user]);

/** A partition as one number: below 1,024 of `turns`, from there on of `observations`. */
export const placeNumber = ({ topic, partition }: Pick<Origin, 'topic' | 'partition'>): number =>
  topic === 'turns' ? partition : OBSERVATIONS + partition;
const OBSERVATIONS = 1_024;

/** Inverse of `placeNumber`. */
export const originOfPlace = (place: number): Pick<Origin, 'topic' | 'partition'> =>
  place < OBSERVATIONS
    ? { topic: 'turns', partition: place }
    : { topic: 'observations', partition: place - OBSERVATIONS };

/** A list of fragments as the file stores it. */
export const bytesOfNumbers = (numbers: readonly number[]): Uint8Array =>
  Buffer.from(Uint32Array.from(numbers).buffer);
export const numbersOf = (bytes: Uint8Array): number[] => [...new Uint32Array(bytes.slice().buffer)];

/** Identifies a segment of a scope: its level (64 fragments at 0, eight times as many at the next) and first fragment. */
export interface SegmentPlace {
  level: number;
  first: number;
}

export const bytesOfPlaces = (places: readonly SegmentPlace[]): Uint8Array =>
  bytesOfNumbers(places.flatMap(({ level, first }) => [level, first]));
export const placesOf = (bytes: Uint8Array): SegmentPlace[] => {
  const numbers = numbersOf(bytes);
  return Array.from({ length: numbers.length / 2 }, (_, i) => ({
    level: numbers[2 * i]!,
    first: numbers[2 * i + 1]!,
  }));
};
