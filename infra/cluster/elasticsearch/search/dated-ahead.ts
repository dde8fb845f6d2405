import type { Elasticsearch } from '../elasticsearch-client.ts';

const PAGE = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** The days of an organization that are asked for one by one; admission keeps no more (organization.lua). */
const MOST_DAYS = 400;
/** Searches of a rebuild for all organizations together: some seconds. */
const MOST_SEARCHES = 5_000;
/** Ids begin with the minute of their turn, modulo 2^32: the minutes before 1970 come after this year. */
const LAST_YEAR = 9999;

/** Returns the least id of a turn said in this minute or later. */
const firstIdAt = (timestamp: number): string =>
  `trn_${Math.floor(timestamp / MINUTE_MS)
    .toString(16)
    .padStart(8, '0')}`;

const dayOf = (id: string): number => Math.floor((Number.parseInt(id.slice(4, 12), 16) * MINUTE_MS) / DAY_MS);

const TURNS = { terms: { kind: ['turn', 'identity', 'expired'] } };
const END = firstIdAt(Date.UTC(LAST_YEAR + 1));

interface Answer {
  aggregations: {
    organizations: {
      buckets: { key: { org: string }; latest: { buckets: { key: string }[] } }[];
      after_key?: object;
    };
  };
}

/**
 * Yields the organizations that have turns dated later than an instant, with the days of these (from 1970);
 * beyond `MOST_DAYS`, and after `MOST_SEARCHES` in all, the last one as `to` stands for all before it.
 * Searches by id, since a turn without a fragment is stored without its date. Sees refreshed documents only.
 */
export const makeDatedAhead = (elasticsearch: Pick<Elasticsearch, 'ask'>, alias: string) => {
  const firstFrom = async (org: string, from: number): Promise<string | undefined> => {
    const { hits } = await elasticsearch.ask<{ hits: { hits: { _source: { id: string } }[] } }>(
      'POST',
      `/${alias}/_search`,
      {
        query: { allow_partial_search_results: false },
        body: {
          size: 1,
          track_total_hits: false,
          _source: ['id'],
          query: {
            bool: {
              filter: [TURNS, { term: { org } }, { range: { id: { gte: firstIdAt(from), lt: END } } }],
            },
          },
          sort: [{ id: 'asc' }],
        },
      },
    );
    return hits.hits[0]?._source.id;
  };

  /** The days of an organization's turns after an instant; the last is known. Undefined: too many. */
  const daysOf = async (
    org: string,
    { after, last, budget }: { after: number; last: number; budget: { left: number } },
  ): Promise<number[] | undefined> => {
    const days: number[] = [];
    for (let from = after; days.length < MOST_DAYS && budget.left-- > 0; from = (days.at(-1)! + 1) * DAY_MS) {
      const id = await firstFrom(org, from);
      if (id === undefined) return [...days, last];
      days.push(dayOf(id));
      if (days.at(-1)! >= last) return days;
    }
    return undefined;
  };

  return async function* (after: number): AsyncGenerator<{ org: string; days: number[]; to?: number }> {
    const ids = { gte: firstIdAt(after), lt: END };
    const budget = { left: MOST_SEARCHES };
    for (let from: object | undefined; ; ) {
      const { aggregations } = await elasticsearch.ask<Answer>('POST', `/${alias}/_search`, {
        query: { allow_partial_search_results: false },
        body: {
          size: 0,
          track_total_hits: false,
          query: { bool: { filter: [TURNS, { range: { id: ids } }] } },
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
        const last = dayOf(latest.buckets[0]!.key);
        const days = await daysOf(key.org, { after, last, budget });
        yield days ? { org: key.org, days } : { org: key.org, days: [], to: last };
      }
      if (buckets.length < PAGE) return;
      from = after_key;
    }
  };
};
