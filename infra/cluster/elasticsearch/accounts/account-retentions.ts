import type { AccountDocuments } from '../../../../projections/accounts/accounts-projection.ts';
import type { Retention } from '../../../../projections/accounts/retention.ts';
import type { ClusterConfig } from '../../../../schemas/config.ts';
import type { Elasticsearch } from '../elasticsearch-client.ts';
import { accountIndex, ORDER } from './account-index.ts';

const PAGE = 1_000;

interface Page {
  error?: object;
  hits: { hits: { _source: { document: string }; sort: unknown[] }[] };
}

/**
 * Yields the organizations that have, or had, a retention. Sees refreshed documents only, half a minute old
 * or older.
 */
export async function* eachRetention(
  elasticsearch: Pick<Elasticsearch, 'ask'>,
  config: Pick<ClusterConfig, 'namespace'>,
): AsyncGenerator<{ org: string; retention: Retention }> {
  for (let after: unknown[] | undefined; ; ) {
    const { error, hits } = await elasticsearch.ask<Page>('POST', `/${accountIndex(config)}/_search`, {
      body: {
        size: PAGE,
        track_total_hits: false,
        _source: ['document'],
        query: { term: { retention: true } },
        sort: ORDER.map(field => ({ [field]: 'asc' })),
        ...(after && { search_after: after }),
      },
      accepted: [404],
    });
    // There are no accounts yet.
    if (error) return;
    for (const { _source } of hits.hits) {
      const { org_id: org, retention } = JSON.parse(_source.document) as AccountDocuments['organization'];
      if (retention) yield { org, retention };
    }
    if (hits.hits.length < PAGE) return;
    after = hits.hits.at(-1)!.sort;
  }
}
