import type { Elasticsearch } from '../elasticsearch-client.ts';

const PAGE = 1_000;
const MINUTE_MS = 60_000;
/** Ids begin with the minute of their turn, modulo 2^32: the minutes before 1970 come after this year. */
const LAST_YEAR = 9999;

/** Returns the least id of a turn said in this minute or later. */
const firstIdAt = (timestamp: number): string =>
  `trn_${Math.floor(timestamp / MINUTE_MS)
    .toString(16)
    .padStart(8, '0')}`;

interface Answer {
  aggregations: {
    organizations: {
      buckets: { key: { org: string }; latest: { buckets: { key: string }[] } }[];
      after_key?: object;
    };
  };
}

/**
 * Yields the organizations that have turns dated later than an instant, with the end of the latest one's
 * minute (Unix milliseconds). Searches by id, since a turn without a fragment is stored without its date.
 * Sees refreshed documents only.
 */
export const makeDatedAhead = (elasticsearch: Pick<Elasticsearch, 'ask'>, alias: string) =>
  async function* (after: number): AsyncGenerator<{ org: string; timestamp: number }> {
    const ids = { gte: firstIdAt(after), lt: firstIdAt(Date.UTC(LAST_YEAR + 1)) };
    for (let from: object | undefined; ; ) {
      const { aggregations } = await elasticsearch.ask<Answer>('POST', `/${alias}/_search`, {
        query: { allow_partial_search_results: false },
        body: {
          size: 0,
          track_total_hits: false,
          query: {
            bool: { filter: [{ terms: { kind: ['turn', 'identity', 'expired'] } }, { range: { id: ids } }] },
          },
          aggs: {
            organizations: {
              composite: {
                size: PAGE,
                sources: [{ org: { terms: { field: 'org' } } }],
                ...(from && { after: from }),
              },
              aggs: { latest: { terms: { field: 'id', size: 1, order: { _key: 'desc' } } } },
            },
          },
        },
      });
      const { buckets, after_key } = aggregations.organizations;
      for (const { key, latest } of buckets) {
        const minute = Number.parseInt(latest.buckets[0]!.key.slice(4, 12), 16);
        yield { org: key.org, timestamp: (minute + 1) * MINUTE_MS };
      }
      if (buckets.length < PAGE) return;
      from = after_key;
    }
  };
