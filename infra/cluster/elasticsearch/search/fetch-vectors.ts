import type { Scope } from '../../../../core/ports.ts';
import { embeddingId } from '../../../../domain/identity/identity.ts';
import type { Elasticsearch } from '../elasticsearch-client.ts';
import { type Clause, columns, routingOf } from '../scope-clauses.ts';

/** Ids per request. */
const AT_ONCE = 5_000;

interface Answer {
  hits: { hits: { fields: { turn: [string]; fragment: [base64: string] } }[] };
}

/**
 * Fetches a model's vectors of these turns of a scope. They are documents beside the turns, on the same
 * shard.
 */
export const fetchVectors = async (
  elasticsearch: Pick<Elasticsearch, 'ask'>,
  alias: string,
  scope: Pick<Scope, 'org' | 'user'>,
  turnIds: readonly string[],
  model: string,
): Promise<{ turn: string; vectors: Uint8Array }[]> => {
  const found: { turn: string; vectors: Uint8Array }[] = [];
  for (let at = 0; at < turnIds.length; at += AT_ONCE) {
    const ids = turnIds.slice(at, at + AT_ONCE).map(id => embeddingId(id, model));
    const filter: Clause[] = [{ term: { org: scope.org } }, { ids: { values: ids } }];
    const { hits } = await elasticsearch.ask<Answer>('POST', `/${alias}/_search`, {
      query: routingOf(scope),
      body: {
        ...columns('turn', 'fragment'),
        size: ids.length,
        track_total_hits: false,
        query: { bool: { filter } },
      },
    });
    for (const { fields } of hits.hits)
      found.push({ turn: fields.turn[0], vectors: Buffer.from(fields.fragment[0], 'base64') });
  }
  return found;
};
