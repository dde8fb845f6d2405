import type { Document } from '../../../projections/recall/document.ts';
import { type Erase, isErase, isStored, type RecallWrite } from '../../../projections/recall/projection.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { RefusedWrites } from '../../../services/core/errors.ts';
import { type GenerationWriters, writeToGenerations } from '../generations/writes.ts';
import { type Bulk, bulks, refreshIndex, sendBulk } from './bulk.ts';
import type { Elasticsearch } from './client.ts';
import { makeErasers } from './eraser.ts';
import { recallIndexOf } from './index.ts';

/** A request's size: large enough to share its overhead, small enough for any coordinating node. */
const BULK_BYTES = 5 * 1024 * 1024;

export interface RecallWriter {
  /**
   * Stored and visible in every generation that is served when it resolves. Repeating it, by anybody and in any order
   * with others, changes nothing: of an id the copy at the lowest offset wins. Throws `RefusedWrites` when everything
   * else is stored and visible, and `WrongVersion` when this release may not write.
   */
  apply(writes: readonly RecallWrite[]): Promise<void>;
  close(): void;
}

export const makeRecallWriter = (
  elasticsearch: Elasticsearch,
  config: Pick<ClusterConfig, 'namespace'>,
  decodeDocument: (bytes: Uint8Array) => Document,
  generations: GenerationWriters,
): RecallWriter => {
  const refreshes = new Map<number, () => Promise<void>>();
  const refresh = (generation: number): Promise<void> => {
    const index = recallIndexOf(config, generation);
    const shared = refreshes.get(generation) ?? makeSharedRefresh(() => refreshIndex(elasticsearch, index));
    refreshes.set(generation, shared);
    return shared();
  };

  const erasers = makeErasers(elasticsearch);

  /** Those that were refused. A standby is refreshed too: whoever goes back to it must miss nothing. */
  const writeTo = async (
    generation: number,
    requests: readonly Bulk[],
    erasures: readonly Erase[],
  ): Promise<RecallWrite[]> => {
    const index = recallIndexOf(config, generation);
    const refused: RecallWrite[] = [];
    for (const bulk of requests) refused.push(...(await sendBulk(elasticsearch, index, bulk)));
    await refresh(generation);
    // An erasure says by the log's offsets what it takes: it may come after what follows it.
    if (erasures.length > 0) await erasers.of(index).apply(erasures);
    return refused;
  };

  return {
    apply: async writes => {
      if (writes.length === 0) return;
      // Which generations there are is asked after the writes came: see docs/adr/0014.
      const targets = await generations.targets();
      const requests = [...bulks(writes.filter(isStored), decodeDocument, BULK_BYTES)];
      const erasures = writes.filter(isErase);
      const refused = await writeToGenerations(generations, targets, one => writeTo(one, requests, erasures));
      // Words are there too, and nobody waits for their going.
      if (erasures.length > 0)
        for (const one of targets.beside) erasers.of(recallIndexOf(config, one)).soon(erasures);
      const all = new Set(refused.flat());
      if (all.size > 0) throw new RefusedWrites(all);
    },
    close: erasers.close,
  };
};

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
