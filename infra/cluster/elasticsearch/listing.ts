import type {
  ListedFragment,
  ListedSession,
  ListedUser,
  ListFilter,
  Listing,
  ListPlace,
  Scope,
} from '../../../services/core/ports.ts';
import { type Elasticsearch, ElasticsearchRefusal } from './client.ts';
import { clientObserved } from './client-observed.ts';
import { unpackFragment } from './fragment.ts';
import { makeListEntities } from './listed-entities.ts';
import { type Clause, columns, ofWindow } from './scope.ts';
import { makeSearches, type ValuesBucket } from './search.ts';

interface Hit {
  fields: { fragment: [string]; partition: [number]; offset: [number]; recorded_at: [number] };
}

interface Hits {
  hits: { hits: Hit[] };
}

interface TurnsBucket extends ValuesBucket {
  key: { user: string; session: string };
  turns: { doc_count: number; first: { value: number | null }; last: { value: number | null } };
}

/** Identities too: a session is one of its user's whether or not its turns are kept. */
const KEPT: Clause = { terms: { kind: ['turn', 'identity'] } };
const TURN: Clause = { term: { kind: 'turn' } };

const turns = {
  filter: TURN,
  aggs: { first: { min: { field: 'timestamp' } }, last: { max: { field: 'timestamp' } } },
};

const ofFilter = ({ kind, role, turnId, source }: ListFilter): Clause[] => [
  kind === 'turn' ? TURN : { terms: { kind: ['said', 'extracted'] } },
  ...(role === undefined ? [] : [{ term: { role } }]),
  ...(turnId === undefined ? [] : [{ term: { turn: turnId } }]),
  ...(source === undefined ? [] : [{ term: { source } }]),
];

const PLACE = ['user', 'session', 'timestamp', 'offset', 'id'] as const;

/** What a list is sorted by: what its scope leaves open of a place. */
const sortedBy = (scope: Scope, after: ListPlace | undefined): readonly (keyof ListPlace)[] => {
  const isGiven = (name: 'user' | 'session'): boolean =>
    scope[name] !== undefined && (after === undefined || after[name] === scope[name]);
  if (!isGiven('user')) return PLACE;
  return PLACE.slice(isGiven('session') ? 2 : 1);
};

/**
 * An index of a version before was not made for lists, and refuses what they ask of it. Who asks is told which replay
 * makes one that is; `check` throws that.
 */
const ofThisVersion = (elasticsearch: Elasticsearch, check: () => Promise<unknown>): Elasticsearch => ({
  ...elasticsearch,
  ask: async <T>(...request: Parameters<Elasticsearch['ask']>): Promise<T> => {
    try {
      return await elasticsearch.ask<T>(...request);
    } catch (error) {
      if (error instanceof ElasticsearchRefusal) await check();
      throw error;
    }
  },
});

/**
 * Lists of the recall index, in the order of UTF-8 bytes. A place is what the log says of a fragment, so it is the same in
 * every generation.
 *
 * @param check throws `unavailable` when the index is of another version than this release's
 */
export const openListing = (
  elasticsearch: Elasticsearch,
  alias: string,
  check: () => Promise<unknown>,
): Listing => {
  const searches = makeSearches(ofThisVersion(elasticsearch, check), alias);
  const { search, pages, allValues } = searches;

  const page = async (
    scope: Scope,
    filter: ListFilter,
    order: 'asc' | 'desc',
    after: ListPlace | undefined,
    size: number,
  ): Promise<ListedFragment[]> => {
    const fields = sortedBy(scope, after);
    const { hits } = await search<Hits>(scope, [...ofWindow(scope), ...ofFilter(filter)], {
      ...columns('fragment', 'offset'),
      size,
      sort: fields.map(field => ({ [field]: order })),
      ...(after && { search_after: fields.map(field => after[field]) }),
    });
    return hits.hits.map(({ fields }) => {
      const { fragment } = unpackFragment(fields.fragment[0]);
      const { user, session, timestamp, id } = fragment;
      return { fragment, place: { user, session, timestamp, offset: fields.offset[0], id } };
    });
  };

  /** Without what an extractor found and a client said too: those words are the client's. */
  const withoutRepeated = async (org: string, found: ListedFragment[]): Promise<ListedFragment[]> => {
    const isExtracted = ({ fragment }: ListedFragment) =>
      fragment.kind === 'observation' && fragment.source !== 'client';
    const extracted = found.filter(isExtracted).map(({ fragment }) => fragment);
    const repeated = await clientObserved(elasticsearch, alias, org, extracted);
    return found.filter(one => !isExtracted(one) || !repeated.has(one.fragment.id));
  };

  /** Of these, those that are there still: an erasure may have come in between. */
  const usersOf = async (scope: Scope, found: readonly TurnsBucket[]): Promise<ListedUser[]> => {
    if (found.length === 0) return [];
    const names = { terms: { user: found.map(({ key }) => key.user) } };
    const sessions = new Map<unknown, number>();
    for await (const { key } of allValues(scope, [KEPT, names], ['user', 'session']))
      sessions.set(key.user, (sessions.get(key.user) ?? 0) + 1);
    return found.flatMap(({ key: { user }, turns }) => {
      const count = sessions.get(user);
      return count === undefined
        ? []
        : [{ user, sessions: count, turns: turns.doc_count, lastAt: turns.last.value }];
    });
  };

  return {
    users: async (scope, after, limit) => {
      const page = { size: limit, after: after === undefined ? undefined : { user: after }, aggs: { turns } };
      const listed: ListedUser[] = [];
      for await (const found of pages<TurnsBucket>(scope, [KEPT], ['user'], page)) {
        listed.push(...(await usersOf(scope, found)));
        if (listed.length >= limit) break;
      }
      return listed.slice(0, limit);
    },
    sessions: async (scope, after, limit) => {
      const filter = [KEPT, ...ofWindow(scope)];
      const page = { size: limit, after, aggs: { turns } };
      const { value: found } = await pages<TurnsBucket>(scope, filter, ['user', 'session'], page).next();
      return found!.map(
        ({ key, turns }): ListedSession => ({
          ...key,
          turns: turns.doc_count,
          firstAt: turns.first.value,
          lastAt: turns.last.value,
        }),
      );
    },
    fragments: async (scope, filter, order, after, limit) => {
      const found: ListedFragment[] = [];
      for (let from = after; ; ) {
        const next = await page(scope, filter, order, from, limit);
        found.push(...(await withoutRepeated(scope.org, next)));
        if (next.length < limit || found.length >= limit) return found.slice(0, limit);
        from = next.at(-1)!.place;
      }
    },
    ...makeListEntities(searches),
    offsets: async (scope, ids) => {
      const filter = [{ terms: { kind: ['turn', 'said'] } }, { terms: { id: ids } }];
      const { hits } = await search<{ hits: { hits: { fields: { id: [string]; offset: [number] } }[] } }>(
        scope,
        filter,
        { ...columns('id', 'offset'), size: ids.length },
      );
      return new Map(hits.hits.map(({ fields }) => [fields.id[0], fields.offset[0]]));
    },
    turn: async (scope, id) => {
      const { hits } = await search<Hits>(scope, [TURN, { term: { id } }], {
        ...columns('fragment', 'partition', 'offset', 'recorded_at'),
        size: 1,
      });
      const [hit] = hits.hits;
      if (!hit) return undefined;
      const { fragment, partition, offset, recorded_at } = hit.fields;
      return {
        fragment: unpackFragment(fragment[0]).fragment,
        origin: {
          topic: 'turns',
          partition: partition[0],
          offset: offset[0],
          recordedAt: recorded_at[0],
        },
      };
    },
  };
};
