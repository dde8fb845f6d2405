import { hash } from 'node:crypto';
import { embeddingId } from '../../../../domain/identity/identity.ts';
import type { Document } from '../../../../domain/search/document.ts';
import type { RowKind } from '../../../../projections/recall/column.ts';
import { fragmentBy, type RecallRow, rowOf } from '../../../../projections/recall/recall-row.ts';
import type { Erase, Retract, StoredWrite } from '../../../../projections/recall/recall-writes.ts';
import { NO_SESSION } from '../../../../schemas/events/curation/correction.ts';
import { indexInRecord, recordOffsetOf } from '../../../../schemas/events/event-offset.ts';
import { fieldsOf, IDENTITY_FIELDS } from '../fields.ts';
import type { DocumentKind } from '../index/index.ts';
import { packFragment } from '../packed-fragment.ts';
import { organizationRouting, ownerOf, sessionKeyOf, sessionKeyOfDigest } from '../scope-clauses.ts';

/** A document to be created. Its id is derived from its content, so copies of an event share it. */
export interface NewDocument {
  id: string;
  routing: string;
  source: { kind: DocumentKind; org: string } & Record<string, unknown>;
}

/** Suffix of an extracted observation's id: a client's one with the same words is another document. */
const EXTRACTED = '.extracted';

/** The fields of a turn that its identity keeps when it is retracted. */
export const KEPT_OF_TURN = IDENTITY_FIELDS.filter(field => field !== 'id' && field !== 'recorded_at');
export type KeptOfTurn = Record<string, unknown>;

/** The values that a document keeps beside its row. */
export interface Beside {
  /** The offset at which the feed reports the event. */
  readOffset: number;
  /** The part of its event that a fragment is; undefined for fragments that only their turn orders. */
  part?: number | undefined;
  /** Retracted turns: the fields kept of the turn. */
  kept?: KeptOfTurn | undefined;
}

/** Marks the identity of a retracted turn. */
export const RETRACTED = 'retracted';

/** Marks the identity of a turn that an event in the log lists, so that no later event has to. */
export const LISTED = 'listed';

export const newDocument = (write: StoredWrite, decodeDocument: DecodeDocument): NewDocument => {
  const part = 'address' in write ? write.address?.part : undefined;
  return documentOf(rowOf(write), { readOffset: readOffsetOf(write), part }, decodeDocument);
};

/** Returns the documents that replace a turn, or an observation's documents. */
export const retractionDocuments = (write: Retract, kept?: KeptOfTurn): NewDocument[] => {
  const row = rowOf(write);
  const document = assembled(row, readOffsetOf(write), retracted(row, kept));
  if (write.observationId === undefined) return [document];
  const { id, routing, source } = document;
  return [
    document,
    { id: id + EXTRACTED, routing, source: { ...source, kind: 'hidden', id: undefined, turn: undefined } },
  ];
};

/** The fields that the identity of an expired turn keeps of its document. */
export const KEPT_OF_EXPIRED = [
  ...'org user owner session session_key active partition offset index read_offset'.split(' '),
  ...IDENTITY_FIELDS,
];

/** Returns the document that replaces an expired turn. */
export const expiredDocument = (turn: { id: string; org: string; owner: string }): NewDocument => ({
  id: turn.id,
  routing: turn.owner,
  source: { ...turn, kind: 'expired' },
});

/** Returns the documents that remain of a fully expired session's turns. They never have a fragment. */
export const knownDocuments = ({ org, owner, session, known = [], origin }: Erase): NewDocument[] =>
  known.map(id => ({
    id,
    routing: owner,
    source: {
      kind: 'expired',
      id,
      org,
      owner,
      session_key: sessionKeyOfDigest(session!),
      active: false,
      outcome: LISTED,
      partition: origin.partition,
      // A later erasure of its session deletes it.
      offset: Math.max(0, origin.offset - 1),
    },
  }));

const readOffsetOf = ({ origin: { offset, readAt = offset } }: StoredWrite | Retract): number =>
  recordOffsetOf(readAt);

/** Returns the document of a row. A verification calls it too, for the row that it has read. */
export const documentOf = (
  row: RecallRow,
  { readOffset, part, kept }: Beside,
  decodeDocument: DecodeDocument,
): NewDocument => {
  const { kind } = row;
  return assembled(
    row,
    readOffset,
    kind === 'retraction' ? retracted(row, kept) : OWN[kind](row, part, decodeDocument),
  );
};

const assembled = (row: RecallRow, readOffset: number, { id, routing, ...own }: Own): NewDocument => {
  const { org, user, session, at } = row;
  const { partition, offset } = at;
  const names = scopeOf(row);
  const address = {
    partition,
    offset: recordOffsetOf(offset),
    index: indexInRecord(offset) || undefined,
    read_offset: readOffset,
  };
  return {
    id,
    routing: routing ?? names.owner,
    source: { org, user, session, ...names, ...address, ...fieldsOf(row), ...own },
  };
};

type DecodeDocument = (bytes: Uint8Array) => Document;

/**
 * The fields of a kind of rows beside its columns: its document's id and kind, its routing if that isn't its
 * user's, and the searched fields.
 */
type Own = { id: string; routing?: string; kind: DocumentKind } & Record<string, unknown>;

const OWN: Record<
  Exclude<RowKind, 'retraction'>,
  (row: RecallRow, part: number | undefined, decodeDocument: DecodeDocument) => Own
> = {
  turn: (row, part, decodeDocument) => ({
    id: String(row.values.id),
    kind: 'turn',
    active: true,
    ...found(row, part, decodeDocument),
  }),
  identity: ({ values }) => ({ id: String(values.id), kind: 'identity', active: false }),
  observation: (row, part, decodeDocument) => {
    const id = String(row.values.id);
    // An extracted observation is found through its turn.
    const isSaid = (row.values.document as Uint8Array).length > 0;
    return {
      id: isSaid ? id : id + EXTRACTED,
      kind: isSaid ? 'said' : 'extracted',
      ...found(row, part, decodeDocument),
    };
  },
  // One document per spelling: the spelling that an entity shows must not depend on the order of arrival.
  mention: ({ values: { id, turn, label, kind } }) => ({
    id: `mtn_${hash('sha256', JSON.stringify([id, turn, label, kind])).slice(0, 32)}`,
    kind: 'mention',
  }),
  enriched: ({ org, values: { turn } }) => ({
    id: `enr_${String(turn).slice(4)}`,
    routing: organizationRouting(org),
    kind: 'enriched',
  }),
  vectors: ({ values: { turn, model } }) => ({
    id: embeddingId(String(turn), String(model)),
    kind: 'vectors',
  }),
  // Routed by organization, since a job is read by its id without its user.
  job: ({ org, values }) => ({ id: String(values.id), routing: organizationRouting(org), kind: 'job' }),
  correction: ({ session, values }) => ({
    id: String(values.id),
    kind: 'correction',
    ...(session === NO_SESSION && { session_key: undefined }),
  }),
};

interface Session {
  org: string;
  user: string;
  session: string;
}

/** The names by which an erasure finds a document. */
interface ScopeNames {
  owner: string;
  session_key: number;
}

const namesOf = ({ org, user, session }: Session): ScopeNames => ({
  owner: ownerOf(org, user),
  session_key: sessionKeyOf(org, user, session),
});

/** Caches the digests of the last session, since writes come session by session. */
let last: { of: Session; names: ScopeNames } | undefined;
const scopeOf = (of: Session): ScopeNames => {
  const { org, user, session } = of;
  if (last?.of.session !== session || last.of.user !== user || last.of.org !== org)
    last = { of: { org, user, session }, names: namesOf(of) };
  return last.names;
};

/**
 * Returns the fields that replace a retracted row. A turn becomes an identity, by which it stays known.
 */
const retracted = ({ values: { id, turn } }: RecallRow, kept: KeptOfTurn = {}): Own => {
  if (id !== turn) return { id: String(id), kind: 'retraction' };
  const identity = Object.fromEntries(KEPT_OF_TURN.map(field => [field, kept[field]]));
  return {
    id: String(id),
    kind: 'identity',
    active: true,
    ...identity,
    passive: kept.passive ?? false,
    outcome: RETRACTED,
  };
};

/** Returns the fields by which a fragment is found and shown. */
const found = (row: RecallRow, part: number | undefined, decodeDocument: DecodeDocument) => {
  const kind = row.kind === 'turn' ? 'turn' : 'observation';
  const { partition, offset } = row.at;
  const document = row.values.document as Uint8Array;
  const fragment = fragmentBy(kind, row, ({ name }) => row.values[name]!);
  const address = part === undefined ? undefined : { partition, offset, part };
  return {
    fragment: packFragment(fragment, address, scopeOf(row).session_key, document),
    follows: fragment.corrects?.follows,
    ...(document.length > 0 && searched(decodeDocument(document))),
  };
};

/** Returns a vector in Elasticsearch's hexadecimal form; undefined for zeros, which have no direction. */
export const vectorOf = (vector: Int8Array): string | undefined =>
  vector.some(component => component !== 0)
    ? Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('hex')
    : undefined;

const searched = ({ stems, length, vector }: Document) => {
  const words = [...stems];
  return { stems: words.map(String), words, length, vector: vectorOf(vector) };
};
