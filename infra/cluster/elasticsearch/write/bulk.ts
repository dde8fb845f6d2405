import { unavailable } from '../../../../core/errors.ts';
import type { Document } from '../../../../domain/search/document.ts';
import type { Erase, Origin, Retract, StoredWrite } from '../../../../projections/recall/recall-writes.ts';
import { recordOffsetOf } from '../../../../schemas/events/event-offset.ts';
import type { Elasticsearch } from '../elasticsearch-client.ts';
import { type BulkItem, outcomeOf } from './bulk-outcome.ts';
import {
  expiredDocument,
  type KeptOfTurn,
  knownDocuments,
  type NewDocument,
  newDocument,
  retractionDocuments,
} from './documents.ts';

const TIMEOUT_MS = 30_000;

/**
 * Greater than every offset, and exact as a number. The lower the offset of a document's event, the higher
 * its version, so the first copy in the partition wins in any order of arrival. All copies of an id are in
 * one partition of one topic: `turns` and `observations` have different kinds of ids.
 */
const FIRST = 2 ** 50;

/**
 * Returns a write's version. If an event is written twice, the requeued copy wins: the feed reports the event
 * at that copy's offset.
 */
const versionOf = ({ offset, readAt }: Origin): number =>
  2 * (FIRST - recordOffsetOf(offset)) + (readAt === undefined ? 0 : 1);

/**
 * Above every version of the document it replaces; if there are two retractions, the first in the log wins.
 */
const RETRACTION = 2 ** 52;

/** Above every version of a retraction. */
const KNOWN = RETRACTION + 2 * FIRST + 2;

/**
 * Above every version of the document it replaces, and below that of a retraction, which it must not undo.
 */
const EXPIRED = 2 ** 51 + 2;

export interface Bulk<Write = StoredWrite> {
  writes: Write[];
  /** Two lines per write. */
  lines: string[];
  bytes: number;
}

interface BulkAnswer {
  errors: boolean;
  items: { index: BulkItem }[];
}

/**
 * Splits writes into requests of about `mostBytes`. The writes of an event stay together: the first of them
 * wins.
 */
export function* bulks(
  writes: readonly StoredWrite[],
  decodeDocument: (bytes: Uint8Array) => Document,
  mostBytes: number,
): Generator<Bulk> {
  let bulk: Bulk = { writes: [], lines: [], bytes: 0 };
  for (const write of writes) {
    const { offset } = write.origin;
    if (bulk.bytes > mostBytes && bulk.writes.at(-1)!.origin.offset !== offset) {
      yield bulk;
      bulk = { writes: [], lines: [], bytes: 0 };
    }
    add(bulk, write, newDocument(write, decodeDocument), versionOf(write.origin));
  }
  if (bulk.writes.length > 0) yield bulk;
}

const add = <Write>(
  bulk: Bulk<Write>,
  write: Write,
  { id, routing, source }: NewDocument,
  version: number,
): void => {
  const action = JSON.stringify({ index: { _id: id, routing, version, version_type: 'external' } });
  const document = JSON.stringify(source);
  bulk.writes.push(write);
  bulk.lines.push(action, document);
  bulk.bytes += action.length + Buffer.byteLength(document) + 2;
};

/** @param kept by turn id: the fields that its identity keeps */
export const retractionLines = (
  retractions: readonly Retract[],
  kept: ReadonlyMap<string, KeptOfTurn>,
): Bulk<Retract> => {
  const bulk: Bulk<Retract> = { writes: [], lines: [], bytes: 0 };
  for (const retract of retractions)
    for (const document of retractionDocuments(retract, kept.get(retract.turnId)))
      add(bulk, retract, document, RETRACTION + versionOf(retract.origin));
  return bulk;
};

/**
 * Returns lines for the turns of expired sessions, which stay known: they replace the index's documents of
 * these turns.
 */
export const knownLines = (erasures: readonly Erase[]): Bulk<object> => {
  const bulk: Bulk<object> = { writes: [], lines: [], bytes: 0 };
  for (const erase of erasures)
    for (const document of knownDocuments(erase)) add(bulk, erase, document, KNOWN);
  return bulk;
};

export const expiredLines = (turns: readonly Parameters<typeof expiredDocument>[0][]): Bulk<object> => {
  const bulk: Bulk<object> = { writes: [], lines: [], bytes: 0 };
  for (const turn of turns) add(bulk, turn, expiredDocument(turn), EXPIRED);
  return bulk;
};

/**
 * Sends a bulk; resolves with the writes that can never be stored. Throws `unavailable` if the index can't
 * take the others now.
 */
export const sendBulk = async <Write>(
  elasticsearch: Pick<Elasticsearch, 'ask'>,
  index: string,
  { writes, lines }: Bulk<Write>,
): Promise<Write[]> => {
  const answer = await elasticsearch.ask<BulkAnswer>('POST', `/${index}/_bulk`, {
    query: { filter_path: 'errors,items.*.status,items.*.error.type,items.*.error.reason' },
    lines,
    timeoutMs: TIMEOUT_MS,
  });
  if (answer.items.length * 2 !== lines.length) throw unavailable('Elasticsearch left writes unanswered.');
  if (!answer.errors) return [];
  return writes.filter((_, i) => outcomeOf(answer.items[i]!.index) === 'refused');
};

/** Makes all earlier writes to the index searchable. */
export const refreshIndex = async (
  elasticsearch: Pick<Elasticsearch, 'ask'>,
  index: string,
): Promise<void> => {
  await elasticsearch.ask('POST', `/${index}/_refresh`, { timeoutMs: TIMEOUT_MS });
};
