import type { Positions } from '../../../core/ports.ts';
import type { Document } from '../../../domain/search/document.ts';
import { PROJECTIONS } from '../../../projections/all.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { type GenerationWritersOptions, makeGenerationWriters } from '../generations/writes.ts';
import { connectElasticsearch } from './elasticsearch-client.ts';
import { makeEngineVersion } from './engine-version.ts';
import { makeHorizons } from './horizons.ts';
import { openHeldPositions } from './index/held-positions.ts';
import { recallAlias, recallIndices } from './index/index.ts';
import { recallGenerations } from './index/recall-generations.ts';
import { openRegistry } from './index/registry.ts';
import { makeFeedIndex } from './lists/feed.ts';
import { makeIsIndexed } from './lists/is-indexed.ts';
import { openListing } from './lists/listing.ts';
import { openRecallDetails } from './lists/recall-details.ts';
import { makeDatedAhead } from './search/dated-ahead.ts';
import { makeExpirySweeper } from './sweep/expiry-sweeper.ts';
import { makeSweptSessions } from './sweep/swept-sessions.ts';
import { makeEraser } from './write/eraser.ts';
import { makeRecallWriter } from './write/recall-writer.ts';
import { makeRetractor } from './write/retractor.ts';

export interface ElasticsearchIndexOptions {
  config: ClusterConfig;
  decodeDocument: (bytes: Uint8Array) => Document;
  onDropped?: GenerationWritersOptions['onDropped'];
  /** Unix milliseconds. */
  clock: () => number;
}

/**
 * Opens the reads and writes of the recall index over one connection, except the searches
 * (searched-index.ts).
 */
export const openElasticsearchIndex = ({
  config,
  onDropped = () => {},
  clock,
  decodeDocument,
}: ElasticsearchIndexOptions) => {
  const elasticsearch = connectElasticsearch(config);
  const alias = recallAlias(config);
  const engineVersion = makeEngineVersion(elasticsearch);
  const horizons = makeHorizons(elasticsearch, config, clock);
  const registry = openRegistry(elasticsearch, config);
  const writers = makeGenerationWriters({
    registry,
    projection: 'recall',
    version: PROJECTIONS.recall.version,
    onDropped,
  });
  const eraser = makeEraser(elasticsearch, recallIndices(config), clock);
  const retractor = makeRetractor(elasticsearch);
  const held = openHeldPositions(elasticsearch);
  const writer = makeRecallWriter(
    elasticsearch,
    config,
    decodeDocument,
    writers,
    { eraser, retractor },
    held,
  );
  return {
    details: openRecallDetails(elasticsearch, alias, horizons),
    store: { apply: writer.apply, targets: writers.targets },
    registry,
    engine: recallGenerations(elasticsearch, config, decodeDocument, { eraser, retractor, held }),
    deleteDue: eraser.deleteDue,
    ...makeExpirySweeper(elasticsearch, config),
    swept: makeSweptSessions(elasticsearch, config, horizons, clock),
    elasticsearch,
    isIndexed: makeIsIndexed(elasticsearch, alias),
    datedAhead: makeDatedAhead(elasticsearch, alias),
    listing: openListing(elasticsearch, alias, writers.targets, horizons),
    feedOf: (committed: () => Promise<Positions>) => makeFeedIndex(elasticsearch, alias, committed, horizons),
    /** Resolves with the engine's version, where it is known. */
    ping: async (): Promise<string | undefined> => {
      await elasticsearch.ask('GET', `/_cluster/health/${alias}`, {
        query: { wait_for_status: 'yellow', timeout: '1s' },
      });
      return engineVersion();
    },
    close: elasticsearch.close,
  };
};
