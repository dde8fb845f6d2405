import type { Elasticsearch } from './elasticsearch-client.ts';
import { ownerOf } from './scope-clauses.ts';

/**
 * Returns the ids of those extracted observations that a client reported too. Reads by id, which finds
 * documents even before a refresh.
 */
export const clientObserved = async (
  elasticsearch: Elasticsearch,
  alias: string,
  org: string,
  extracted: readonly { id: string; user: string }[],
): Promise<ReadonlySet<string>> => {
  if (extracted.length === 0) return new Set();
  type Found = { _id: string; found?: boolean; error?: { type?: string } };
  const { docs } = await elasticsearch.ask<{ docs: Found[] }>('POST', `/${alias}/_mget`, {
    body: {
      docs: extracted.map(({ id, user }) => ({ _id: id, routing: ownerOf(org, user), _source: false })),
    },
  });
  for (const { error } of docs) elasticsearch.check({ status: 503, error });
  return new Set(docs.filter(doc => doc.found).map(doc => doc._id));
};
