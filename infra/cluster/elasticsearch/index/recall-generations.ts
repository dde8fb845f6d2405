import type { GenerationEngine } from '../../../../core/ports/projection/generation-engine.ts';
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
import type { Elasticsearch } from '../elasticsearch-client.ts';
import { type Bulk, bulks, refreshIndex, sendBulk } from '../write/bulk.ts';
import type { Eraser } from '../write/eraser.ts';
import type { Retractor } from '../write/retractor.ts';
import { asRanges, type HeldPositions } from './held-positions.ts';
import { generationIndex, recallAlias, recallIndexOf, recallIndices } from './index.ts';

/** Larger than a projector's bulks, since no call waits for these. */
const BULK_BYTES = 8 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
const COPIED_WITHIN = '60s';
/** Enough requests in flight for the engine never to wait for the next one. */
const BULKS_IN_FLIGHT = 3;

/** The removals of a page, which apply to documents sent earlier. */
interface Removals {
  retractions: readonly Retract[];
  erasures: readonly Erase[];
}

/** Returns the engine of recall generations, which are indices. */
export const recallGenerations = (
  elasticsearch: Elasticsearch,
  config: ClusterConfig,
  decodeDocument: (bytes: Uint8Array) => Document,
  { eraser, retractor, held }: { eraser: Eraser; retractor: Retractor; held: HeldPositions },
): GenerationEngine<RecallWrite, Bulk | Removals> => {
  const alias = recallAlias(config);
  const indexOf = (generation: number): string => recallIndexOf(config, generation);
  return {
    inFlight: BULKS_IN_FLIGHT,
    make: async generation => {
      await elasticsearch.ask('PUT', `/${indexOf(generation)}`, {
        body: generationIndex(config, 0),
        timeoutMs: TIMEOUT_MS,
        // The index may exist from an interrupted replay that this one resumes: numbers are never reused.
        accepted: [400],
      });
    },
    requests: writes => {
      const erasures = writes.filter(isErase);
      const retractions = writes.filter(isRetract);
      const stored = [...bulks(writes.filter(isStored), decodeDocument, BULK_BYTES)];
      const removes = erasures.length + retractions.length > 0;
      return removes ? [...stored, { retractions, erasures }] : stored;
    },
    waits: request => 'erasures' in request,
    send: async (generation, request) => {
      const index = indexOf(generation);
      if (!('erasures' in request)) {
        const refused = await sendBulk(elasticsearch, index, request);
        await retractor.hideLate(index, request);
        return refused.length;
      }
      const { retractions, erasures } = request;
      if (retractions.length > 0) await retractor.apply(index, retractions);
      if (erasures.length === 0) return 0;
      await refreshIndex(elasticsearch, index);
      await eraser.apply(index, erasures);
      return 0;
    },
    finish: async generation => {
      await elasticsearch.ask('PUT', `/${indexOf(generation)}/_settings`, {
        body: { index: { number_of_replicas: config.replicas } },
        timeoutMs: TIMEOUT_MS,
      });
      // Don't wait for replicas that no node can take: the serving generation lacks them too.
      await elasticsearch.ask('GET', `/_cluster/health/${indexOf(generation)}`, {
        query: { wait_for_no_initializing_shards: true, timeout: COPIED_WITHIN },
        timeoutMs: TIMEOUT_MS + 5_000,
        accepted: [408],
      });
      await refreshIndex(elasticsearch, indexOf(generation));
    },
    serve: async generation => {
      const actions = [
        { remove: { index: recallIndices(config), alias, must_exist: false } },
        { add: { index: indexOf(generation), alias, is_write_index: true } },
      ];
      await elasticsearch.ask('POST', '/_aliases', { body: { actions }, timeoutMs: TIMEOUT_MS });
    },
    positions: (generation, partitions) => held.read(indexOf(generation), partitions),
    mark: async (generation, positions) => {
      for (const range of asRanges(positions)) await held.advance(indexOf(generation), range);
    },
    remove: async generation => {
      await elasticsearch.ask('DELETE', `/${indexOf(generation)}`, {
        accepted: [404],
        timeoutMs: TIMEOUT_MS,
      });
    },
    bytes: async generation => {
      type Stats = { _all: { primaries: { store?: { size_in_bytes: number } } } };
      const stats = await elasticsearch.ask<Stats>('GET', `/${indexOf(generation)}/_stats/store`, {
        accepted: [404],
      });
      return stats._all?.primaries.store?.size_in_bytes ?? 0;
    },
  };
};
