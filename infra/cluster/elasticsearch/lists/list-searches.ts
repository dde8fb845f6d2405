import type { Elasticsearch } from '../elasticsearch-client.ts';
import type { Horizons } from '../horizons.ts';
import { type Clause, columns, inScope, type Owned, routingOf } from '../scope-clauses.ts';

/** The engine's limit for the documents or values in one answer. */
const MOST = 10_000;

/** The kinds of documents that are observations. */
export const OBSERVED: Clause = { terms: { kind: ['said', 'extracted'] } };
/** The kinds of documents that say that a turn was recorded, with or without its words. */
export const RECORDED: Clause = { terms: { kind: ['turn', 'identity', 'expired'] } };

/** A combination of values of fields. */
export interface ValuesBucket {
  key: Record<string, string | number>;
  doc_count: number;
}

/** Fields of a document; those without a value are missing. */
export type FieldValues = Record<string, string[] | undefined>;

export interface Searches {
  /** Searches the documents of a scope that match the filter. */
  search<T>(scope: Owned, filter: readonly Clause[], body: object): Promise<T>;
  /**
   * Yields the distinct combinations of the fields' values after a given one, ascending and page by page,
   * each with its `aggs`.
   */
  pages<Bucket extends ValuesBucket>(
    scope: Owned,
    filter: readonly Clause[],
    fields: readonly string[],
    page: { size: number; after?: object | undefined; aggs?: object },
  ): AsyncGenerator<Bucket[], void, undefined>;
  /** Returns these fields of all matching documents, sorted, in as many requests as necessary. */
  list(
    scope: Owned,
    filter: readonly Clause[],
    sort: readonly string[],
    fields: readonly string[],
  ): Promise<FieldValues[]>;
  /** Yields all combinations, in as many requests as necessary, so counting them is exact. */
  allValues(
    scope: Owned,
    filter: readonly Clause[],
    fields: readonly string[],
  ): AsyncGenerator<ValuesBucket, void, undefined>;
}

/** Makes searches of one tenant's living documents; an answer that lacks a shard is an error. */
export const makeSearches = (
  elasticsearch: Pick<Elasticsearch, 'ask'>,
  alias: string,
  horizons: Horizons,
): Searches => {
  const search: Searches['search'] = async (scope, filter, body) => {
    const seen = { ...scope, horizon: await horizons(scope.org) };
    return elasticsearch.ask('POST', `/${alias}/_search`, {
      query: { ...routingOf(scope), allow_partial_search_results: false },
      body: {
        track_total_hits: false,
        query: { bool: { filter: [...inScope(seen), ...filter] } },
        ...body,
      },
    });
  };
  const pages = async function* <Bucket extends ValuesBucket>(
    ...[scope, filter, fields, { size, after, aggs }]: Parameters<Searches['pages']>
  ): AsyncGenerator<Bucket[], void, undefined> {
    type Answer = { aggregations: { values: { buckets: Bucket[] } } };
    const sources = fields.map(field => ({ [field]: { terms: { field } } }));
    for (let from = after; ; ) {
      const composite = { size, sources, ...(from && { after: from }) };
      const { aggregations } = await search<Answer>(scope, filter, {
        size: 0,
        aggs: { values: { composite, ...(aggs && { aggs }) } },
      });
      const { buckets } = aggregations.values;
      yield buckets;
      if (buckets.length < size) return;
      from = buckets.at(-1)!.key;
    }
  };
  return {
    search,
    pages,
    list: async (scope, filter, sort, fields) => {
      type Answer = { hits: { hits: { fields?: FieldValues; sort?: unknown[] }[] } };
      const found: FieldValues[] = [];
      for (let after: unknown[] | undefined; ; ) {
        const { hits } = await search<Answer>(scope, filter, {
          ...columns(...fields),
          size: MOST,
          sort: sort.map(field => ({ [field]: 'asc' })),
          ...(after && { search_after: after }),
        });
        found.push(...hits.hits.map(hit => hit.fields ?? {}));
        if (hits.hits.length < MOST) return found;
        after = hits.hits.at(-1)!.sort;
      }
    },
    allValues: async function* (scope, filter, fields) {
      for await (const buckets of pages(scope, filter, fields, { size: MOST })) yield* buckets;
    },
  };
};
