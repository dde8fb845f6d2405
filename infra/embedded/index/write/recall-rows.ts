import type { DatabaseSync } from 'node:sqlite';
import type { StoredFact } from '../../../../projections/facts/stored-fact.ts';
import type { Origin, Retract, StoredWrite } from '../../../../projections/recall/projection.ts';
import { recallRow } from '../../../../projections/recall/rows.ts';
import type { Row } from '../../../../projections/verify/row.ts';
import { correctedOf } from '../fragment.ts';
import { idOfBytes, partitionOfNumber } from '../projections-database.ts';
import { termsOfBytes } from './metadata.ts';

type Stored = Record<string, unknown>;

/** `document` and `text`, which may be long, come last: they are read only for rows of the sample. */
const FRAGMENTS = `
  SELECT f.id, f.kind, f.timestamp, f.passive, f.turn, f.source, f.role, f.place, f.offset, f.recorded,
    f.fact, f.corrects, f.corrects_key, (SELECT terms FROM metadata WHERE no = f.metadata) AS terms, f.expires, f.kept_from,
    f.document, f.text, s.key AS scope, n.name AS session
  FROM fragments f LEFT JOIN scopes s ON s.no = f.partition LEFT JOIN sessions n ON n.no = f.session
  WHERE f.kind < 3 AND in_sample(coalesce(f.turn, f.id)) AND NOT (f.kind = 2 AND f.id IN (SELECT id FROM retracted))`;
const MENTIONS = `
  SELECT m.turn, m.label, m.kind, m.place, m.offset, m.recorded, m.expires, m.kept_from, e.id, e.normalised, s.key AS scope,
    n.name AS session, (SELECT terms FROM metadata WHERE no = m.metadata) AS terms
  FROM mentions m JOIN entities e ON e.no = m.entity LEFT JOIN scopes s ON s.no = e.partition
    LEFT JOIN sessions n ON n.no = m.session
  WHERE in_sample(m.turn)`;
const ENRICHMENTS = `
  SELECT e.turn, e.outcome, e.reason, e.place, e.offset, e.recorded, s.key AS scope, n.name AS session
  FROM enrichments e LEFT JOIN sessions n ON n.no = e.session LEFT JOIN scopes s ON s.no = n.partition
  WHERE in_sample(e.turn)`;
const VECTORS = `
  SELECT v.turn, v.model, v.vectors, v.place, v.offset, v.recorded, v.expires, v.kept_from, s.key AS scope, n.name AS session
  FROM vectors v LEFT JOIN sessions n ON n.no = v.session LEFT JOIN scopes s ON s.no = n.partition
  WHERE in_sample(v.turn)`;
const RETRACTED = `
  SELECT r.id, r.turn, r.place, r.offset, r.recorded, s.key AS scope, n.name AS session
  FROM retracted r LEFT JOIN sessions n ON n.no = r.session LEFT JOIN scopes s ON s.no = n.partition
  WHERE in_sample(r.turn)`;
const JOBS = `
  SELECT j.*, n.name AS session_name FROM jobs j LEFT JOIN sessions n ON n.no = j.session
  WHERE in_sample_by_name(j.id)`;

const CORRECTIONS = `
  SELECT c.*, s.key AS scope FROM corrections c LEFT JOIN scopes s ON s.no = c.partition
  WHERE in_sample_by_name(c.id)`;

/** The rows of recall, each converted back to the write that it was made from. */
export function* recallRows(reader: DatabaseSync): Generator<Row> {
  for (const row of reader.prepare(FRAGMENTS).iterate()) yield recallRow(fragmentWrite(row));
  for (const row of reader.prepare(MENTIONS).iterate()) yield recallRow(mentionWrite(row));
  for (const row of reader.prepare(ENRICHMENTS).iterate()) yield recallRow(enrichmentWrite(row));
  for (const row of reader.prepare(VECTORS).iterate()) yield recallRow(vectorsWrite(row));
  for (const row of reader.prepare(RETRACTED).iterate()) yield recallRow(retraction(row));
  for (const row of reader.prepare(JOBS).iterate()) yield recallRow(jobWrite(row));
  for (const row of reader.prepare(CORRECTIONS).iterate()) yield recallRow(correctionWrite(row));
}

const originOf = ({ place, offset, recorded, expires = null, kept_from = null }: Stored): Origin => ({
  ...partitionOfNumber(Number(place)),
  offset: Number(offset),
  recordedAt: Number(recorded),
  ...(expires !== null && { expiresAt: Number(expires) }),
  ...(kept_from !== null && { keptFrom: Number(kept_from) }),
});

/** The organization and the user in a scope's key; empty when the scope is missing. */
const ownerOf = (key: unknown): { org: string; user: string } => {
  const [org = '', user = ''] = key === null ? [] : (JSON.parse(String(key)) as string[]);
  return { org, user };
};

const textOf = (bytes: unknown): string => Buffer.from(bytes as Uint8Array).toString();
const termsOf = ({ terms }: Stored): string[] | undefined =>
  terms === null ? undefined : termsOfBytes(terms);
const turnOf = (row: Stored): string => idOfBytes('trn_', row.turn as Uint8Array);

/**
 * The write that a fragment was made from, except `length`, which the document contains, and `part`, which the row's
 * number replaces.
 */
const fragmentWrite = (row: Stored): StoredWrite => {
  const origin = originOf(row);
  const common = {
    origin,
    ...ownerOf(row.scope),
    session: String(row.session ?? ''),
    role: String(row.role),
    text: textOf(row.text),
    timestamp: Number(row.timestamp),
    document: row.document as Uint8Array,
    place: { partition: origin.partition, offset: origin.offset, part: 0 },
    metadata: termsOf(row),
  };
  if (Number(row.kind) === 1) {
    const id = idOfBytes('obs_', row.id as Uint8Array);
    const source = String(row.source) as 'client' | 'rules' | 'llm';
    const fact = row.fact === null ? undefined : (JSON.parse(String(row.fact)) as StoredFact);
    const corrects = row.corrects === null ? undefined : correctedOf(row);
    return { op: 'observation', id, turnId: turnOf(row), source, fact, corrects, ...common };
  }
  return {
    op: 'turn',
    id: idOfBytes('trn_', row.id as Uint8Array),
    active: Number(row.kind) === 0,
    passive: Number(row.passive) === 1,
    length: 0,
    ...common,
  };
};

const mentionWrite = (row: Stored): StoredWrite => ({
  op: 'entity',
  origin: originOf(row),
  ...ownerOf(row.scope),
  session: String(row.session ?? ''),
  id: String(row.id),
  label: String(row.label),
  normalised: String(row.normalised),
  kind: String(row.kind),
  turnId: turnOf(row),
  metadata: termsOf(row),
});

const enrichmentWrite = (row: Stored): StoredWrite => ({
  op: 'enriched',
  origin: originOf(row),
  ...ownerOf(row.scope),
  session: String(row.session ?? ''),
  turnId: turnOf(row),
  outcome: String(row.outcome) as 'done' | 'failed',
  reason: row.reason === null ? null : String(row.reason),
});

const vectorsWrite = (row: Stored): StoredWrite => ({
  op: 'vectors',
  origin: originOf(row),
  ...ownerOf(row.scope),
  session: String(row.session ?? ''),
  turnId: turnOf(row),
  model: String(row.model),
  vectors: row.vectors as Uint8Array,
});

const retraction = (row: Stored): Retract => {
  const id = row.id as Uint8Array;
  const isTurn = Buffer.compare(id, row.turn as Uint8Array) === 0;
  return {
    op: 'retract',
    origin: originOf(row),
    ...ownerOf(row.scope),
    session: String(row.session ?? ''),
    turnId: turnOf(row),
    observationId: isTurn ? undefined : idOfBytes('obs_', id),
  };
};

const correctionWrite = (row: Stored): StoredWrite => ({
  op: 'correction',
  origin: originOf(row),
  ...ownerOf(row.scope),
  id: String(row.id),
  session: String(row.session),
  said: JSON.parse(String(row.said)),
});

const TURN_BYTES = 16;

const jobWrite = (row: Stored): StoredWrite => {
  const turns = row.turns as Uint8Array;
  const turnIds = Array.from({ length: turns.length / TURN_BYTES }, (_, i) =>
    idOfBytes('trn_', turns.subarray(i * TURN_BYTES, (i + 1) * TURN_BYTES)),
  );
  return {
    op: 'job',
    origin: originOf(row),
    id: String(row.id),
    org: String(row.org),
    user: String(row.user),
    session: String(row.session_name ?? ''),
    turnIds,
    passive: Number(row.passive) === 1,
  };
};
