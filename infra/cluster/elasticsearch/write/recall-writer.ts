import type { WriteTargets } from '../../../../core/generations.ts';
import {
  ALL_WRITTEN,
  type LogRange,
  type StoreBehind,
  storeBehind,
  type Written,
} from '../../../../core/ports/projection/projection-store.ts';
import type { Document } from '../../../../domain/search/document.ts';
import {
  type Erase,
  isErase,
  isRetract,
  isStored,
  type RecallWrite,
  type Retract,
} from '../../../../projections/recall/recall-writes.ts';
import type { ClusterConfig } from '../../../../schemas/config.ts';
import { type GenerationWriters, writeToGenerations } from '../../generations/writes.ts';
import type { Elasticsearch } from '../elasticsearch-client.ts';
import type { HeldPositions } from '../index/held-positions.ts';
import { recallIndexOf } from '../index/index.ts';
import { type Bulk, bulks, refreshIndex, sendBulk } from './bulk.ts';
import type { Eraser } from './eraser.ts';
import type { Retractor } from './retractor.ts';

/** Bytes per request: large enough to amortise its overhead, small enough for any coordinating node. */
const BULK_BYTES = 5 * 1024 * 1024;

export interface RecallWriter {
  /**
   * Resolves with the refused writes once all others are stored and visible in every served generation.
   * Repeating a call, in any process and order, changes nothing: the copy of an id at the lowest offset wins.
   * The store is behind if an index lacks what precedes `range`.
   */
  apply(writes: readonly RecallWrite[], range?: LogRange): Promise<Written>;
}

interface Batch {
  requests: readonly Bulk[];
  retractions: readonly Retract[];
  erasures: readonly Erase[];
  range: LogRange | undefined;
  targets: WriteTargets;
}

export const makeRecallWriter = (
  elasticsearch: Elasticsearch,
  config: Pick<ClusterConfig, 'namespace'>,
  decodeDocument: (bytes: Uint8Array) => Document,
  generations: GenerationWriters,
  { eraser, retractor }: { eraser: Eraser; retractor: Retractor },
  held: Pick<HeldPositions, 'advance'>,
): RecallWriter => {
  const refreshes = new Map<number, () => Promise<void>>();
  const refresh = (generation: number): Promise<void> => {
    const index = recallIndexOf(config, generation);
    const shared = refreshes.get(generation) ?? makeSharedRefresh(() => refreshIndex(elasticsearch, index));
    refreshes.set(generation, shared);
    return shared();
  };

  /**
   * Advances the position; resolves with what the index lacks before the range, if anything. Call it once
   * everything that the range requires is on disk: data before the position is never read again.
   */
  const advance = async (
    generation: number,
    range: LogRange | undefined,
    marked: readonly number[],
  ): Promise<StoreBehind | undefined> => {
    if (!range) return undefined;
    const known = marked.includes(generation) ? range : { ...range, from: 0 };
    const reached = await held.advance(recallIndexOf(config, generation), known);
    return reached < range.next ? storeBehind('recall', range, reached) : undefined;
  };

  /**
   * Resolves with the refused writes and whether the index is behind. A standby is refreshed too, so that it
   * is complete when reads switch to it.
   */
  const writeTo = async (
    generation: number,
    { requests, retractions, erasures, range, targets }: Batch,
  ): Promise<{ generation: number; refused: RecallWrite[]; behind: StoreBehind | undefined }> => {
    const index = recallIndexOf(config, generation);
    const refused: RecallWrite[] = [];
    for (const bulk of requests) {
      refused.push(...(await sendBulk(elasticsearch, index, bulk)));
      await retractor.hideLate(index, bulk);
    }
    // Documents that an erasure in the same batch names are deleted with their replacements from here.
    if (retractions.length > 0) await retractor.apply(index, retractions);
    if (erasures.length === 0) {
      const [behind] = await Promise.all([
        advance(generation, range, targets.marked),
        requests.length > 0 && refresh(generation),
      ]);
      return { generation, refused, behind };
    }
    await refresh(generation);
    // After the writes: an erasure deletes only documents before its offset.
    await eraser.apply(index, erasures);
    // Other generations contain the text too; their deletion is not awaited.
    if (targets.required.includes(generation))
      for (const one of targets.beside) await eraser.defer(index, recallIndexOf(config, one), erasures);
    return { generation, refused, behind: await advance(generation, range, targets.marked) };
  };

  return {
    apply: async (writes, range) => {
      if (writes.length === 0 && !range) return ALL_WRITTEN;
      // Generations must be read after the writes were read from the log:
      // docs/internals/decisions/projections/0014.
      const targets = await generations.targets();
      if ('kind' in targets) return targets;
      const requests = [...bulks(writes.filter(isStored), decodeDocument, BULK_BYTES)];
      const retractions = writes.filter(isRetract);
      const erasures = writes.filter(isErase);
      const outcomes = await writeToGenerations(generations, targets, one =>
        writeTo(one, { requests, retractions, erasures, range, targets }),
      );
      for (const { generation, behind } of outcomes) {
        if (!behind) continue;
        if (targets.required.includes(generation)) return behind;
        await generations.failed(generation, new Error(behind.reason));
      }
      return { kind: 'written', refused: new Set(outcomes.flatMap(({ refused }) => refused)) };
    },
  };
};

/**
 * Shares refreshes. A refresh makes all writes before its start visible: one that begins after several calls
 * serves all of them; one already in progress serves no later call.
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
