import type { Document } from '../../projections/recall/document.ts';
import type { RecallWrite, StoredWrite } from '../../projections/recall/projection.ts';
import type { ClusterConfig } from '../../schemas/config.ts';
import { RefusedWrites, unavailable } from '../../services/errors.ts';
import type { Elasticsearch } from './elasticsearch-client.ts';
import { newDocument } from './elasticsearch-documents.ts';
import { makeEraser } from './elasticsearch-eraser.ts';
import { recallAlias } from './elasticsearch-index.ts';

/** A request's size: large enough to share its overhead, small enough for any coordinating node. */
const BULK_BYTES = 5 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

interface BulkAnswer {
  errors: boolean;
  items: { create: { _id: string; status: number; error?: { type?: string } } }[];
}

interface RecallWriter {
  /**
   * Stored and visible when it resolves. Repeating it, by anybody, changes nothing: the first copy of an id wins. Throws
   * `RefusedWrites` when everything else is stored and visible.
   */
  apply(writes: readonly RecallWrite[]): Promise<void>;
  close(): void;
}

export const makeRecallWriter = (
  elasticsearch: Elasticsearch,
  config: Pick<ClusterConfig, 'namespace'>,
  decodeDocument: (bytes: Uint8Array) => Document,
): RecallWriter => {
  const alias = recallAlias(config);
  const refresh = makeSharedRefresh(() =>
    elasticsearch.ask('POST', `/${alias}/_refresh`, { timeoutMs: TIMEOUT_MS }),
  );

  const eraser = makeEraser(elasticsearch, alias);

  /** Those that were refused; every item's outcome is looked at. */
  const send = async ({ writes, lines }: Bulk): Promise<RecallWrite[]> => {
    const answer = await elasticsearch.ask<BulkAnswer>('POST', `/${alias}/_bulk`, {
      // Without its alias the index would be made anew, of guessed fields.
      query: { require_alias: true },
      lines,
      timeoutMs: TIMEOUT_MS,
    });
    if (answer.items.length * 2 !== lines.length) throw unavailable('Elasticsearch left writes unanswered.');
    if (!answer.errors) return [];
    const refused: RecallWrite[] = [];
    for (const [i, { create }] of answer.items.entries()) {
      // 409: the first copy has won already.
      if (create.status < 300 || create.status === 409) continue;
      if (!IS_REFUSED.has(create.status)) {
        throw unavailable(
          "Elasticsearch can't take writes right now.",
          `${create.status}, ${create.error?.type}`,
        );
      }
      refused.push(writes[i]!);
    }
    return refused;
  };

  return {
    apply: async writes => {
      if (writes.length === 0) return;
      const refused: RecallWrite[] = [];
      const stored = writes.filter(write => write.op !== 'erase');
      const erasures = writes.filter(write => write.op === 'erase');
      for (const bulk of bulks(stored, decodeDocument)) refused.push(...(await send(bulk)));
      await refresh();
      // An erasure says by the log's offsets what it takes: it may come after what follows it.
      if (erasures.length > 0) await eraser.apply(erasures);
      if (refused.length > 0) throw new RefusedWrites(new Set(refused));
    },
    close: eraser.close,
  };
};

/** 400: the document is at fault, 413: its size. Anything else is a matter of the index, a shard or the load. */
const IS_REFUSED = new Set([400, 413]);

interface Bulk {
  writes: RecallWrite[];
  /** Two for each write. */
  lines: string[];
}

/** As many requests as it takes. */
function* bulks(
  writes: readonly StoredWrite[],
  decodeDocument: (bytes: Uint8Array) => Document,
): Generator<Bulk> {
  let bulk: Bulk = { writes: [], lines: [] };
  let bytes = 0;
  for (const write of writes) {
    const { id, routing, source } = newDocument(write, decodeDocument);
    const action = JSON.stringify({ create: { _id: id, routing } });
    const document = JSON.stringify(source);
    const size = action.length + Buffer.byteLength(document) + 2;
    if (bytes + size > BULK_BYTES && bulk.writes.length > 0) {
      yield bulk;
      bulk = { writes: [], lines: [] };
      bytes = 0;
    }
    bulk.writes.push(write);
    bulk.lines.push(action, document);
    bytes += size;
  }
  if (bulk.writes.length > 0) yield bulk;
}

/**
 * A refresh shows everything written before it began, whoever wrote it: one that begins after several callers asked
 * serves them all, and one that was under way serves none of those who came later.
 */
const makeSharedRefresh = (refresh: () => Promise<unknown>): (() => Promise<void>) => {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= (async () => {
      await running.catch(() => {});
      next = undefined;
      const own = refresh();
      running = own;
      await own;
    })();
    return next;
  };
};
