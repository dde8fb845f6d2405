import { COLUMNS } from '../../../../../projections/recall/columns.ts';
import { storedTable } from '../../stored-columns.ts';

/** The table of turns and observations. */
export const FRAGMENTS = storedTable(
  'fragments',
  ['kind', 'organization', 'partition', 'session', 'metadata', 'log_partition', 'offset', 'read_offset'],
  COLUMNS.turn,
  COLUMNS.observation,
);
const ADDRESS = ['log_partition', 'offset'] as const;
/** The columns of a mention that are the event's, and so the same for all that it names. */
export const OF_EVENT = COLUMNS.mention.filter(
  ({ name }) => !['id', 'normalised', 'label', 'kind'].includes(name),
);
/**
 * The table of what an event found in its turn: whom it names, and how its enrichment ended. An entity's own
 * columns are in `entities`, and how it was spelled in `spellings`.
 */
export const FINDINGS = storedTable(
  'findings',
  ['session', 'metadata', 'named', ...ADDRESS],
  OF_EVENT,
  COLUMNS.enriched,
);
export const VECTORS = storedTable('vectors', ['session', ...ADDRESS], COLUMNS.vectors);
export const JOBS = storedTable('jobs', ['org', 'user', 'session', ...ADDRESS], COLUMNS.job);
export const RETRACTED = storedTable('retracted', ['session', ...ADDRESS], COLUMNS.retraction);
export const CORRECTIONS = storedTable(
  'corrections',
  ['partition', 'session', ...ADDRESS],
  COLUMNS.correction,
);

/** Indices of a turn's rows. A retraction needs them even while a file is being built. */
export const INDICES_OF_TURNS = [
  'CREATE INDEX IF NOT EXISTS observations_of_turn ON fragments (turn) WHERE kind = 1',
];

/** The columns of the views of mentions, beside the entity. */
const MENTION = `f.session, f.metadata, f.log_partition, f.offset, ${OF_EVENT.filter(
  ({ type }) => type !== 'terms',
)
  .map(({ name }) => `f.${name}`)
  .join(', ')}, s.label, s.kind`;

/** The tables of recall, and those of its lists. */
export const RECALL_TABLES = `
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

  -- kind 0: turn, 1: observation, 2: the identity of a turn that was not to be stored or was retracted, 3: of one that has
  -- expired and was swept, 4: of one of kind 2 that has. Here and below: log_partition (see
  -- partitionNumber) and offset are the address of the event in the log; the other columns are those of projections/recall/columns.ts.
  CREATE TABLE IF NOT EXISTS fragments (no INTEGER PRIMARY KEY AUTOINCREMENT, kind INTEGER NOT NULL,
    organization INTEGER NOT NULL, partition INTEGER NOT NULL, session INTEGER NOT NULL, metadata INTEGER,
    log_partition INTEGER NOT NULL, offset INTEGER NOT NULL, read_offset INTEGER NOT NULL, ${FRAGMENTS.declared});
  CREATE UNIQUE INDEX IF NOT EXISTS fragments_by_id ON fragments (id);
  CREATE INDEX IF NOT EXISTS fragments_of_session ON fragments (session, kind, timestamp, offset, id);
  -- What is said of one attribute of one subject, the latest last; with the address, which tells a reader that has a key's
  -- facts whether they are still the same (read/facts/fact-blocks.ts).
  CREATE INDEX IF NOT EXISTS facts_by_key ON fragments (partition, fact_key, fact_stands, no, log_partition, offset)
    WHERE fact_key IS NOT NULL;
  CREATE INDEX IF NOT EXISTS corrections_by_id ON fragments (corrected_id) WHERE corrected_id IS NOT NULL;
  CREATE INDEX IF NOT EXISTS corrections_by_key ON fragments (partition, corrected_key) WHERE corrected_key IS NOT NULL;
  -- What corrections are hidden with, beside their own turns: turns and observations. From their "corrects".
  CREATE TABLE IF NOT EXISTS followed (id BLOB NOT NULL, fragment INTEGER NOT NULL, PRIMARY KEY (id, fragment)) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS followed_by ON followed (fragment);
  -- What is due to be swept, and isn't yet.
  CREATE INDEX IF NOT EXISTS fragments_by_expiry ON fragments (expires) WHERE expires IS NOT NULL AND kind < 3;
  CREATE INDEX IF NOT EXISTS fragments_by_kept ON fragments (organization, kept_from) WHERE expires IS NULL AND kind < 3;
  CREATE INDEX IF NOT EXISTS fragments_swept ON fragments (id) WHERE kind >= 3;
  -- Sessions of which something was swept since they were last looked at: nothing may be left. "swept" is another number each
  -- time. By their names, since a session of which all has expired has no other row.
  CREATE TABLE IF NOT EXISTS swept_sessions (org TEXT NOT NULL, user TEXT NOT NULL, session TEXT NOT NULL,
    swept INTEGER NOT NULL, PRIMARY KEY (org, user, session)) WITHOUT ROWID;
  -- The feed: an organization's fragments in the order in which they are read in the log. "read_offset" is that offset; of a
  -- requeued event, which has the address of another record, the copy's offset: a stream may be past the address.
  CREATE INDEX IF NOT EXISTS fragments_by_read_offset ON fragments (organization, log_partition, read_offset, partition)
    WHERE kind < 2;

  -- The distinct metadata of a session's writes, each by its terms (filter/terms.ts), as a JSON array; a filter finds it by
  -- them in its user's scope and in its organization's. Fragments and mentions name it.
  CREATE TABLE IF NOT EXISTS metadata (no INTEGER PRIMARY KEY AUTOINCREMENT, organization INTEGER NOT NULL,
    partition INTEGER NOT NULL, session INTEGER NOT NULL, digest BLOB NOT NULL, terms BLOB NOT NULL,
    UNIQUE (session, digest));
  CREATE TABLE IF NOT EXISTS metadata_terms (scope INTEGER NOT NULL, term BLOB NOT NULL, metadata INTEGER NOT NULL,
    PRIMARY KEY (scope, term, metadata)) WITHOUT ROWID;
  -- A scope's metadata in the order of its numbers, of which the later ones are greater.
  CREATE INDEX IF NOT EXISTS metadata_of_partition ON metadata (partition);
  CREATE INDEX IF NOT EXISTS metadata_of_organization ON metadata (organization);
  CREATE INDEX IF NOT EXISTS fragments_by_metadata ON fragments (metadata) WHERE metadata IS NOT NULL;

  -- What was retracted: a turn, or an observation of a turn.
  CREATE TABLE IF NOT EXISTS retracted (session INTEGER NOT NULL, log_partition INTEGER NOT NULL, offset INTEGER NOT NULL,
    ${RETRACTED.declared}, PRIMARY KEY (id)) WITHOUT ROWID;

  -- What was said of a user's names, whose session is '', and of sessions. The latest counts of each.
  CREATE TABLE IF NOT EXISTS corrections (partition INTEGER NOT NULL, session TEXT NOT NULL,
    log_partition INTEGER NOT NULL, offset INTEGER NOT NULL, ${CORRECTIONS.declared}, PRIMARY KEY (id)) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS corrections_of ON corrections (partition, session, about, recorded, offset);

  -- What embedding models made of turns: a row for each model, whichever the file serves (meta "embeddings").
  CREATE TABLE IF NOT EXISTS vectors (no INTEGER PRIMARY KEY, session INTEGER NOT NULL, log_partition INTEGER NOT NULL,
    offset INTEGER NOT NULL, ${VECTORS.declared}, UNIQUE (turn, model));
  CREATE INDEX IF NOT EXISTS vectors_of_session ON vectors (session);
  CREATE INDEX IF NOT EXISTS vectors_by_expiry ON vectors (expires) WHERE expires IS NOT NULL;
  CREATE TABLE IF NOT EXISTS entities (no INTEGER PRIMARY KEY, partition INTEGER NOT NULL, normalised TEXT NOT NULL,
    id TEXT NOT NULL, label TEXT NOT NULL, kind TEXT NOT NULL, UNIQUE (partition, normalised));
  -- How an entity was spelled: which spelling it shows must not depend on which came first.
  CREATE TABLE IF NOT EXISTS spellings (no INTEGER PRIMARY KEY, entity INTEGER NOT NULL, label TEXT NOT NULL,
    kind TEXT NOT NULL, UNIQUE (entity, label, kind));
  -- What was found in a turn, one row an event, so that a turn has one as a rule. "named" are the spellings that it names, a
  -- JSON array; null where none is left, and "metadata", "expires" and "kept_from", which are those of its mentions, too.
  -- "outcome" is null in the rows of a turn whose enrichment another event ended first.
  CREATE TABLE IF NOT EXISTS findings (no INTEGER PRIMARY KEY, session INTEGER NOT NULL, metadata INTEGER, named TEXT,
    log_partition INTEGER NOT NULL, offset INTEGER NOT NULL, ${FINDINGS.declared});
  CREATE INDEX IF NOT EXISTS findings_of_turn ON findings (turn, session);
  CREATE INDEX IF NOT EXISTS findings_of_session ON findings (session);
  CREATE INDEX IF NOT EXISTS findings_by_metadata ON findings (metadata) WHERE metadata IS NOT NULL;
  CREATE INDEX IF NOT EXISTS findings_by_expiry ON findings (expires) WHERE expires IS NOT NULL;
  -- The same by entity. It is in no order of time, so its rows are as short as can be.
  CREATE TABLE IF NOT EXISTS named (entity INTEGER NOT NULL, spelling INTEGER NOT NULL, finding INTEGER NOT NULL,
    PRIMARY KEY (entity, spelling, finding)) WITHOUT ROWID;
  CREATE VIEW IF NOT EXISTS enrichments AS SELECT session, log_partition, offset, turn, outcome, reason, recorded
    FROM findings WHERE outcome IS NOT NULL;
  -- Mentions as rows: of entities, and of turns.
  CREATE VIEW IF NOT EXISTS mentions AS SELECT n.entity, ${MENTION}
    FROM named n CROSS JOIN findings f ON f.no = n.finding CROSS JOIN spellings s ON s.no = n.spelling;
  CREATE VIEW IF NOT EXISTS turn_mentions AS SELECT s.entity, ${MENTION}
    FROM findings f CROSS JOIN json_each(f.named) v CROSS JOIN spellings s ON s.no = v.value;
  CREATE TABLE IF NOT EXISTS jobs (no INTEGER PRIMARY KEY, org TEXT NOT NULL, user TEXT NOT NULL, session INTEGER NOT NULL,
    log_partition INTEGER NOT NULL, offset INTEGER NOT NULL, ${JOBS.declared}, UNIQUE (id));
  CREATE INDEX IF NOT EXISTS jobs_of_session ON jobs (session, offset);
  ${INDICES_OF_TURNS.join(';\n  ')};
`;

/** Indices that only reads use. */
export const READ_INDICES = [
  'facts_by_key',
  'corrections_by_id',
  'corrections_by_key',
  'observations_of_turn',
  'fragments_by_read_offset',
  'metadata_of_partition',
  'metadata_of_organization',
  'fragments_by_expiry',
  'fragments_by_kept',
  'findings_by_expiry',
  'vectors_by_expiry',
];
