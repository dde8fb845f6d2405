import type { Elasticsearch } from '../elasticsearch-client.ts';
import { ownerOf } from '../scope-clauses.ts';

/**
 * Returns which of these turns are in the index, and whether they have a fragment. Reads by id, which finds
 * turns even before a refresh.
 */
export const makeIsIndexed =
  (elasticsearch: Elasticsearch, alias: string) =>
  async (org: string, user: string, ids: readonly string[]): Promise<Map<string, boolean>> => {
    if (ids.length === 0) return new Map();
    type Found = {
      _id: string;
      found?: boolean;
      error?: { type?: string };
      _source?: { org: string; active: boolean };
    };
    const { docs } = await elasticsearch.ask<{ docs: Found[] }>('POST', `/${alias}/_mget`, {
      query: { routing: ownerOf(org, user), _source_includes: 'org,active' },
      body: { ids },
    });
    const found = new Map<string, boolean>();
    for (const { _id, error, _source: source } of docs) {
      // Each item has its own error: an unreachable shard proves nothing about its turns.
      elasticsearch.check({ status: 503, error });
      if (source?.org === org) found.set(_id, source.active);
    }
    return found;
  };
