/**
 * The columns of each kind of row of the recall index. Both engines make their tables and mappings from them
 * and write and read rows by them, fragments are made of those that are shown, and a verification compares
 * all of them. To add a stored attribute, add a line here.
 */
import { standingTime } from '../../domain/facts/holds/standing-time.ts';
import { type Corrected, factKey, type StoredFact } from '../../domain/facts/stored-fact.ts';
import { NO_TERMS } from '../../domain/filter/terms.ts';
import type { SaidObservation, SaidTurn } from '../../domain/search/fragment.ts';
import { digestNumber } from '../verify/row.ts';
import type { Column, RowKind } from './column.ts';
import { hiddenIn, keptFromOf, type Origin, type Retract, type StoredWrite } from './recall-writes.ts';

type Columns<Op extends StoredWrite['op']> = readonly Column<Extract<StoredWrite, { op: Op }>>[];

/**
 * Used in filters, and listed in the order of UTF-8 bytes. Aggregations read it page by page, or only over
 * few values or few documents.
 */
export const NAME = { type: 'keyword' };
/** A name of unbounded length; the engine's limit is 32,766 bytes, and a longer one is not listed. */
const LABEL = { type: 'keyword', ignore_above: 8_000 };
const LONG_UNSEARCHED = { ...LABEL, index: false };
/** Read only from columns. */
const COLUMN = { type: 'keyword', index: false };
/** Kept only in the source. */
const KEPT = { type: 'keyword', index: false, doc_values: false };
export const LONG = { type: 'long' };
const FLAG = { type: 'boolean' };
export const BINARY = { type: 'binary', doc_values: true };
/** For manual inspection; recall matches stems. */
const TEXT = { type: 'text', analyzer: 'english', index_options: 'docs', norms: false };

interface Dated {
  origin: Origin;
}

/** When the service recorded the event: Unix milliseconds, here and below. */
const RECORDED: Column<Dated> = {
  name: 'recorded',
  type: 'number',
  mapping: LONG,
  field: 'recorded_at',
  of: ({ origin }) => origin.recordedAt,
};

/** When a row expires by itself, and otherwise from when a retention counts. */
const EXPIRY: readonly Column<Dated>[] = [
  {
    name: 'expires',
    type: 'number',
    isNullable: true,
    mapping: LONG,
    field: 'expires_at',
    of: ({ origin }) => origin.expiresAt ?? null,
  },
  {
    name: 'kept_from',
    type: 'number',
    isNullable: true,
    mapping: LONG,
    of: ({ origin }) => keptFromOf(origin) ?? null,
  },
];

const METADATA: Column<{ metadata?: readonly string[] | undefined }> = {
  name: 'metadata',
  type: 'terms',
  isNullable: true,
  mapping: NAME,
  of: ({ metadata }) => metadata ?? NO_TERMS,
};

/** The turn that a row belongs to. */
const TURN_ID: Column<{ turnId: string }> = {
  name: 'turn',
  type: 'turn',
  mapping: NAME,
  of: ({ turnId }) => turnId,
};

const SPOKEN: readonly Column<SaidTurn>[] = [
  { name: 'role', type: 'name', mapping: NAME, shown: 'role', of: ({ role }) => role },
  { name: 'timestamp', type: 'number', mapping: LONG, shown: 'timestamp', of: ({ timestamp }) => timestamp },
  {
    name: 'utc_offset',
    type: 'number',
    isNullable: true,
    shown: 'utcOffset',
    of: ({ utcOffset }) => utcOffset ?? null,
  },
  { name: 'text', type: 'words', mapping: TEXT, shown: 'text', of: ({ text }) => text },
];

/** An encoded `Document` (document.ts); empty where a row isn't searched by its text. */
const DOCUMENT: Column<{ document: Uint8Array | undefined }> = {
  name: 'document',
  type: 'bytes',
  of: ({ document = NO_DOCUMENT }) => document,
};
const NO_DOCUMENT = new Uint8Array();

const IDENTITY: Columns<'turn'> = [
  { name: 'id', type: 'turn', mapping: NAME, shown: 'id', of: ({ id }) => id },
  { name: 'passive', type: 'flag', mapping: FLAG, of: ({ passive }) => passive },
  RECORDED,
  ...EXPIRY,
];

const TURN: Columns<'turn'> = [...IDENTITY, ...SPOKEN, METADATA, DOCUMENT];

/** The columns of a turn that its identity lacks. */
export const WORDS = TURN.filter(column => !IDENTITY.includes(column));

const OBSERVED: readonly Column<SaidObservation>[] = [
  { name: 'id', type: 'observation', mapping: NAME, shown: 'id', of: ({ id }) => id },
  ...SPOKEN,
  { ...TURN_ID, shown: 'sourceTurnId' },
  { name: 'source', type: 'name', mapping: NAME, shown: 'source', of: ({ source }) => source },
  { name: 'fact', type: 'json', isNullable: true, shown: 'fact', of: ({ fact }) => fact ?? null },
  {
    name: 'corrects',
    type: 'json',
    isNullable: true,
    shown: 'corrects',
    of: ({ corrects }) => corrects ?? null,
  },
];

/** By which what an observation says of a subject is found (stored-fact.ts). */
const FOUND_BY: readonly Column<
  Pick<SaidObservation, 'timestamp'> & {
    fact?: StoredFact | undefined;
    corrects?: Corrected | undefined;
  }
>[] = [
  {
    name: 'fact_key',
    type: 'name',
    isNullable: true,
    mapping: NAME,
    of: ({ fact }) => (fact ? factKey(fact) : null),
  },
  {
    name: 'fact_stands',
    type: 'number',
    isNullable: true,
    mapping: LONG,
    // A plan without a beginning is read in its place, and is no value.
    of: ({ fact, timestamp }) => (fact ? (standingTime(fact, timestamp) ?? timestamp) : null),
  },
  {
    name: 'corrected_id',
    type: 'observation',
    isNullable: true,
    mapping: NAME,
    of: ({ corrects }) => corrects?.id ?? null,
  },
  {
    name: 'corrected_key',
    type: 'name',
    isNullable: true,
    mapping: NAME,
    of: ({ corrects }) => corrects?.key ?? null,
  },
];

const OBSERVATION: Columns<'observation'> = [
  ...OBSERVED,
  ...FOUND_BY,
  RECORDED,
  ...EXPIRY,
  METADATA,
  DOCUMENT,
];

const MENTION: Columns<'entity'> = [
  { name: 'id', type: 'name', mapping: NAME, field: 'entity', of: ({ id }) => id },
  TURN_ID,
  { name: 'label', type: 'name', mapping: LONG_UNSEARCHED, of: ({ label }) => label },
  { name: 'normalised', type: 'name', mapping: LABEL, of: ({ normalised }) => normalised },
  { name: 'kind', type: 'name', mapping: LABEL, field: 'entity_kind', of: ({ kind }) => kind },
  RECORDED,
  ...EXPIRY,
  METADATA,
];

const ENRICHED: Columns<'enriched'> = [
  TURN_ID,
  { name: 'outcome', type: 'name', mapping: COLUMN, of: ({ outcome }) => outcome },
  { name: 'reason', type: 'name', isNullable: true, mapping: LONG_UNSEARCHED, of: ({ reason }) => reason },
  RECORDED,
];

const VECTORS: Columns<'vectors'> = [
  TURN_ID,
  { name: 'model', type: 'name', mapping: NAME, field: 'source', of: ({ model }) => model },
  RECORDED,
  ...EXPIRY,
  { name: 'vectors', type: 'bytes', mapping: BINARY, field: 'fragment', of: ({ vectors }) => vectors },
];

const JOB: Columns<'job'> = [
  { name: 'id', type: 'name', mapping: NAME, of: ({ id }) => id },
  { name: 'passive', type: 'flag', mapping: FLAG, of: ({ passive }) => passive },
  { name: 'turns', type: 'turns', mapping: KEPT, of: ({ turnIds }) => turnIds },
  RECORDED,
];

const RETRACTION: readonly Column<Retract>[] = [
  { name: 'id', type: 'hidden', mapping: NAME, of: hiddenIn },
  TURN_ID,
  RECORDED,
];

const CORRECTION: Columns<'correction'> = [
  { name: 'id', type: 'name', mapping: NAME, of: ({ id }) => id },
  { name: 'about', type: 'name', mapping: NAME, of: ({ about }) => about },
  { name: 'said', type: 'json', mapping: BINARY, field: 'fragment', of: ({ said }) => said },
  RECORDED,
];

export const COLUMNS = {
  turn: TURN,
  identity: IDENTITY,
  observation: OBSERVATION,
  mention: MENTION,
  enriched: ENRICHED,
  vectors: VECTORS,
  job: JOB,
  retraction: RETRACTION,
  correction: CORRECTION,
} satisfies Record<RowKind, readonly Column<never>[]>;

/** Returns another number for other columns, or for another way to keep one. */
export const columnsVersion = (columns: Record<string, readonly Column<never>[]>): number =>
  digestNumber([columns]);

/** The columns that a fragment is made of. */
export const SHOWN = {
  turn: TURN.filter(({ shown }) => shown !== undefined),
  observation: OBSERVATION.filter(({ shown }) => shown !== undefined),
};
