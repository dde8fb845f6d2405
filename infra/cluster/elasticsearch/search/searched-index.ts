import type { Listing } from '../../../../core/ports.ts';
import type { ClusterConfig } from '../../../../schemas/config.ts';
import { connectElasticsearch } from '../client.ts';
import { makeHorizons } from '../horizons.ts';
import { recallAlias } from '../index/index.ts';
import { makeListEntities } from '../lists/listed-entities.ts';
import { openRecallDetails } from '../lists/recall-details.ts';
import { makeSearches } from '../lists/search.ts';
import { makeRetrieval, type RetrieveOptions } from './retrieve.ts';

/** The settings of the index alone, without the other engines: all that a searching thread needs. */
export type SearchedPlace = Pick<
  ClusterConfig,
  'namespace' | 'partitions' | 'elasticsearchUrl' | 'elasticsearch'
>;

export interface SearchedIndexOptions extends Omit<RetrieveOptions, 'partitions'> {
  place: SearchedPlace;
  /** Unix milliseconds. */
  clock: () => number;
}

/**
 * Opens the search reads of the recall index, over a connection of their own. They ask the alias, so they
 * read the serving generation.
 */
export const openSearchedIndex = ({ place, clock, ...options }: SearchedIndexOptions) => {
  const elasticsearch = connectElasticsearch(place);
  const alias = recallAlias(place);
  const horizons = makeHorizons(elasticsearch, place, clock);
  const listing: Pick<Listing, 'entities' | 'entitiesById'> = makeListEntities(
    makeSearches(elasticsearch, alias, horizons),
  );
  return {
    retrieval: makeRetrieval(elasticsearch, alias, horizons, { ...options, partitions: place.partitions }),
    details: openRecallDetails(elasticsearch, alias, horizons),
    listing,
    close: elasticsearch.close,
  };
};
