/**
 * Accounts by entity, folded from the log's events and found by id, with the log positions that the index
 * holds.
 */

import { unavailable } from '../../../../core/errors.ts';
import { offsetIn } from '../../../../core/log/positions.ts';
import type { LogRange } from '../../../../core/ports/projection/projection-store.ts';
import type { Positions } from '../../../../core/ports.ts';
import type {
  AccountKind,
  AccountState,
  GetDocument,
} from '../../../../projections/accounts/accounts-projection.ts';
import {
  type EventMarker,
  foldEntities,
  type LoggedAccountEvent,
} from '../../../../projections/accounts/folded-entities.ts';
import { CLOCK_SLACK_MS, touchedBy } from '../../../../projections/accounts/lifetimes.ts';
import type { ClusterConfig } from '../../../../schemas/config.ts';
import { connectElasticsearch, type Elasticsearch } from '../elasticsearch-client.ts';
import { openHeldPositions } from '../index/held-positions.ts';
import { type BulkItem, outcomeOf } from '../write/bulk-outcome.ts';
import {
  BUCKETS,
  documentId,
  groupsOf,
  markerId,
  markerOf,
  type StoredEntity,
  stateOf,
  type VersionedEntity,
} from './account-documents.ts';
import { accountIndex, ORDER } from './account-index.ts';

const TIMEOUT_MS = 30_000;
const REMOVED_WITHIN_MS = 120_000;
/** Documents per answer, and the number of answers read at once. */
const PAGE = 2_500;
const AT_ONCE = 4;
/** The number of documents that share pages: each page goes through all of them. */
const GROUP = 10_000;

/**
 * The kinds whose first event states their end. If a process that slept writes one again, it is as expired as
 * before. A revoked key and a deleted webhook stay: if one were written again without its end, it would live.
 * An organization that was removed has no other key, so nobody could use it if it were written again.
 */
const REMOVED: readonly (AccountKind | 'event')[] = ['rotation', 'family', 'event', 'organization'];

export interface EntityPage {
  states: AccountState[];
  markers: EventMarker[];
}

export interface AccountEntities {
  /**
   * Returns the next offsets of the events that the index lacks, in partitions of `accounts`; 0 for one it
   * doesn't name.
   */
  positions(names: readonly string[]): Promise<Positions>;
  /**
   * Folds events of one partition in their order, and stores that the index holds the range if it holds what
   * precedes it. Resolves with the next offset that it lacks. Idempotent, even when a replaced process is
   * late.
   */
  apply(events: readonly LoggedAccountEvent[], range: LogRange, now: number): Promise<number>;
  /**
   * Passes on the living documents, page by page, some pages at a time: at least all state from the events
   * below the positions read earlier, and perhaps some from later ones. Markers are only those of events
   * below `positions`.
   */
  eachLiving(positions: Positions, now: number, take: (page: EntityPage) => Promise<void>): Promise<void>;
  /** Removes documents that ended more than two days ago. */
  removeEnded(now: number): Promise<void>;
  close(): Promise<void>;
}

export const openAccountEntities = (
  config: ClusterConfig,
  elasticsearch: Elasticsearch = connectElasticsearch(config),
): AccountEntities => {
  const index = accountIndex(config);
  const held = openHeldPositions(elasticsearch);

  return {
    positions: async names => {
      const found = await held.read(index, names);
      return Object.fromEntries(names.map(name => [name, found[name] ?? 0]));
    },
    apply: async (events, range, now) => {
      const folded = foldEntities(await readKnown(elasticsearch, index, events), events, now);
      for (const group of groupsOf(folded)) await write(elasticsearch, index, group);
      return held.advance(index, range);
    },
    eachLiving: async (positions, now, take) => {
      await refresh(elasticsearch, index);
      const groups = (await groupsOfBuckets(elasticsearch, index, now)).values();
      const work = async (): Promise<void> => {
        for (const buckets of groups)
          for await (const page of livingIn(elasticsearch, index, buckets, now))
            await take(pageOf(page, positions));
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    },
    removeEnded: async now => {
      const ended = { range: { end: { lt: now - 2 * CLOCK_SLACK_MS } } };
      await elasticsearch.ask('POST', `/${index}/_delete_by_query`, {
        query: { conflicts: 'proceed' },
        body: { query: { bool: { filter: [{ terms: { kind: REMOVED } }, ended] } } },
        timeoutMs: REMOVED_WITHIN_MS,
      });
    },
    close: elasticsearch.close,
  };
};

interface Got {
  _id: string;
  found?: boolean;
  error?: { type?: string };
  _source?: StoredEntity;
}

/** Reads the present documents that the events may change. Reads by id, which includes unrefreshed writes. */
const readKnown = async (
  elasticsearch: Elasticsearch,
  index: string,
  events: readonly LoggedAccountEvent[],
) => {
  const ids = new Set([
    ...events.flatMap(touchedBy).map(({ kind, id }) => documentId(kind, id)),
    ...events.map(({ org_id, id }) => markerId(org_id, id)),
  ]);
  const found = new Map<string, StoredEntity>();
  if (ids.size > 0) {
    const { docs } = await elasticsearch.ask<{ docs: Got[] }>('POST', `/${index}/_mget`, {
      body: { ids: [...ids] },
      timeoutMs: TIMEOUT_MS,
    });
    const failed = docs.find(({ error }) => error);
    if (failed) throw unavailable('Elasticsearch gives no accounts now.', failed.error?.type);
    for (const { _id, _source } of docs) if (_source) found.set(_id, _source);
  }
  const get = (kind: AccountKind, id: string): unknown => {
    const stored = found.get(documentId(kind, id));
    return stored && stateOf(stored).document;
  };
  return {
    get: get as GetDocument,
    firstCopy: (org: string, id: string) => found.get(markerId(org, id))?.offset,
  };
};

const write = async (
  elasticsearch: Elasticsearch,
  index: string,
  group: readonly VersionedEntity[],
): Promise<void> => {
  const { items } = await elasticsearch.ask<{ items: { index: BulkItem }[] }>('POST', `/${index}/_bulk`, {
    query: { filter_path: 'items.*.status,items.*.error.type,items.*.error.reason' },
    lines: group.flatMap(({ source, version }) => [
      JSON.stringify({ index: { _id: source.key, version, version_type: 'external_gte' } }),
      JSON.stringify(source),
    ]),
    timeoutMs: TIMEOUT_MS,
  });
  if (items.length !== group.length) throw unavailable('Elasticsearch left writes unanswered.');
  // The others already exist in a later version than ours.
  if (items.some(item => outcomeOf(item.index) === 'refused'))
    throw new Error('Elasticsearch can never store a document of accounts');
};

/** Makes all earlier writes visible in every copy of the index. */
const refresh = async (elasticsearch: Elasticsearch, index: string): Promise<void> => {
  interface Answer {
    _shards: { successful: number; failed: number };
  }
  const { _shards } = await elasticsearch.ask<Answer>('POST', `/${index}/_refresh`, {
    timeoutMs: TIMEOUT_MS,
  });
  if (_shards.successful === 0 || _shards.failed > 0)
    throw unavailable('Elasticsearch shows no accounts now.');
};

const pageOf = (stored: readonly StoredEntity[], positions: Positions): EntityPage => {
  const markers = stored.filter(({ kind }) => kind === 'event').map(markerOf);
  return {
    states: stored.filter(({ kind }) => kind !== 'event').map(stateOf),
    // A later event is applied again, since its documents may have been read before it was applied.
    markers: markers.filter(
      ({ partition, offset }) => offset < offsetIn(positions, { topic: 'accounts', partition }),
    ),
  };
};

const living = (now: number) => ({
  bool: {
    should: [
      { range: { end: { gt: now - CLOCK_SLACK_MS } } },
      { bool: { must_not: { exists: { field: 'end' } } } },
    ],
  },
});

/** Returns groups of buckets, each with so few documents that its pages are made quickly. */
const groupsOfBuckets = async (
  elasticsearch: Elasticsearch,
  index: string,
  now: number,
): Promise<string[][]> => {
  const { count } = await elasticsearch.ask<{ count: number }>('POST', `/${index}/_count`, {
    body: { query: living(now) },
    timeoutMs: TIMEOUT_MS,
  });
  const size = Math.max(1, Math.floor(BUCKETS.length / Math.max(AT_ONCE, count / GROUP)));
  return Array.from({ length: Math.ceil(BUCKETS.length / size) }, (_, n) =>
    BUCKETS.slice(n * size, (n + 1) * size),
  );
};

const livingIn = async function* (
  elasticsearch: Elasticsearch,
  index: string,
  buckets: readonly string[],
  now: number,
): AsyncGenerator<StoredEntity[]> {
  interface Hit {
    sort: string[];
    _source: StoredEntity;
  }
  for (let after: string[] | undefined; ; ) {
    const { hits } = await elasticsearch.ask<{ hits: { hits: Hit[] } }>('POST', `/${index}/_search`, {
      query: { allow_partial_search_results: false },
      body: {
        size: PAGE,
        track_total_hits: false,
        query: { bool: { filter: [{ terms: { bucket: buckets } }, living(now)] } },
        sort: ORDER.map(field => ({ [field]: 'asc' })),
        ...(after && { search_after: after }),
      },
      timeoutMs: TIMEOUT_MS,
    });
    const found = hits.hits;
    if (found.length > 0) yield found.map(({ _source }) => _source);
    if (found.length < PAGE) return;
    after = found.at(-1)!.sort;
  }
};
