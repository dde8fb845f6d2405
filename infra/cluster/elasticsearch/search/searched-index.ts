import type { Listing } from '../../../../core/ports.ts';
import type { ClusterConfig } from '../../../../schemas/config.ts';
import { connectElasticsearch } from '../elasticsearch-client.ts';
import { makeHorizons } from '../horizons.ts';
import { recallAlias } from '../index/index.ts';
import { makeSearches } from '../lists/list-searches.ts';
import { makeListEntities } from '../lists/listed-entities.ts';
import { openRecallDetails } from '../lists/recall-details.ts';
import { makeRetrieval, type RetrieveOptions } from './retrieve.ts';

/** The settings of the index alone, without the other engines: all that a searching thread needs. */
export type IndexConnection = Pick<
  ClusterConfig,
  'namespace' | 'partitions' | 'elasticsearchUrl' | 'elasticsearch'
>;

export interface SearchedIndexOptions extends Omit<RetrieveOptions, 'partitions'> {
  connection: IndexConnection;
  /** Unix milliseconds. */
  clock: () => number;
}

/**
 * Opens the search reads of the recall index, over a connection of their own. They ask the alias, so they
 * read the serving generation.
 */
export const openSearchedIndex = ({ connection, clock, ...options }: SearchedIndexOptions) => {
  const elasticsearch = connectElasticsearch(connection);
  const alias = recallAlias(connection);
  const horizons = makeHorizons(elasticsearch, connection, clock);
  const listing: Pick<Listing, 'entities' | 'entitiesById'> = makeListEntities(
    makeSearches(elasticsearch, alias, horizons),
  );
  return {
    retrieval: makeRetrieval(elasticsearch, alias, horizons, {
      ...options,
      partitions: connection.partitions,
    }),
    details: openRecallDetails(elasticsearch, alias, horizons),
    listing,
    close: elasticsearch.close,
  };
};
