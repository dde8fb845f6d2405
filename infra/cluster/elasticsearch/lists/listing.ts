import { unavailable } from '../../../../core/errors.ts';
import type { ListCursor, ListedFragment, ListFilter, Listing, Scope } from '../../../../core/ports.ts';
import { eventOffsetOf, indexInRecord, recordOffsetOf } from '../../../../schemas/events/event-offset.ts';
import type { GenerationWriters } from '../../generations/writes.ts';
import { clientObserved } from '../client-observed.ts';
import { type Elasticsearch, ElasticsearchRefusal } from '../elasticsearch-client.ts';
import { everything, type Horizons } from '../horizons.ts';
import { byIndex } from '../index/index.ts';
import { FRAGMENT, type FragmentFields, fragmentOf } from '../packed-fragment.ts';
import { type Clause, columns, ofWindow } from '../scope-clauses.ts';
import { makeSearches } from './list-searches.ts';
import { makeListEntities } from './listed-entities.ts';
import { makeListSessions } from './listed-sessions.ts';
import { readOwnNames } from './name-corrections.ts';

interface Hit {
  fields: FragmentFields & {
    partition: [number];
    read_offset: [number];
    recorded_at: [number];
    expires_at?: [number];
  } & OffsetFields;
}

interface OffsetFields {
  offset: [number];
  index?: [number];
}

const eventOffsetIn = ({ offset, index }: OffsetFields): number =>
  eventOffsetOf({ offset: offset[0], index: index?.[0] });

interface Hits {
  hits: { hits: Hit[] };
}

const TURN: Clause = { term: { kind: 'turn' } };
const OBSERVATION: Clause = { terms: { kind: ['said', 'extracted'] } };

const ofFilter = ({ kind, role, turnId, source }: ListFilter): Clause[] => [
  kind === 'turn' ? TURN : OBSERVATION,
  ...(role === undefined ? [] : [{ term: { role } }]),
  ...(turnId === undefined ? [] : [{ term: { turn: turnId } }]),
  ...(source === undefined ? [] : [{ term: { source } }]),
];

const SORTED_BY = ['user', 'session', 'timestamp', 'offset', 'index', 'id'] as const;

/** Returns the sort fields of a list: the cursor's fields that the scope doesn't determine. */
const sortedBy = (scope: Scope, after: ListCursor | undefined): readonly (typeof SORTED_BY)[number][] => {
  const isGiven = (name: 'user' | 'session'): boolean =>
    scope[name] !== undefined && (after === undefined || after[name] === scope[name]);
  if (!isGiven('user')) return SORTED_BY;
  return SORTED_BY.slice(isGiven('session') ? 2 : 1);
};

const sortValue = (cursor: ListCursor, field: (typeof SORTED_BY)[number]): string | number => {
  if (field === 'offset') return recordOffsetOf(cursor.offset);
  return field === 'index' ? indexInRecord(cursor.offset) : cursor[field];
};

type Targets = GenerationWriters['targets'];

/**
 * Rethrows the refusal of an index of another version, which was not made for list searches, as the error
 * that names the replay to run.
 */
const ofThisVersion = (elasticsearch: Elasticsearch, targets: Targets): Elasticsearch => ({
  ...elasticsearch,
  ask: async <T>(...request: Parameters<Elasticsearch['ask']>): Promise<T> => {
    try {
      return await elasticsearch.ask<T>(...request);
    } catch (error) {
      if (!(error instanceof ElasticsearchRefusal)) throw error;
      const known = await targets();
      throw 'kind' in known ? unavailable(known.reason) : error;
    }
  },
});

/**
 * Opens the lists of the recall index, in the order of UTF-8 bytes. A cursor consists of a fragment's data
 * from the log, so it is valid in every generation.
 */
export const openListing = (
  elasticsearch: Elasticsearch,
  alias: string,
  targets: Targets,
  horizons: Horizons,
): Listing => {
  const searches = makeSearches(ofThisVersion(elasticsearch, targets), alias, horizons);
  const { search } = searches;

  const page = async (
    scope: Scope,
    filter: ListFilter,
    order: 'asc' | 'desc',
    after: ListCursor | undefined,
    size: number,
  ): Promise<ListedFragment[]> => {
    const fields = sortedBy(scope, after);
    const { hits } = await search<Hits>(scope, [...ofWindow(scope), ...ofFilter(filter)], {
      ...columns(...FRAGMENT, 'offset', 'index'),
      size,
      sort: fields.map(field => (field === 'index' ? byIndex(order) : { [field]: order })),
      ...(after && { search_after: fields.map(field => sortValue(after, field)) }),
    });
    return hits.hits.map(({ fields }) => {
      const { fragment } = fragmentOf(fields);
      const { user, session, timestamp, id } = fragment;
      return { fragment, cursor: { user, session, timestamp, offset: eventOffsetIn(fields), id } };
    });
  };

  /** Drops extracted observations that a client reported too. */
  const withoutRepeated = async (org: string, found: ListedFragment[]): Promise<ListedFragment[]> => {
    const isExtracted = ({ fragment }: ListedFragment) =>
      fragment.kind === 'observation' && fragment.source !== 'client';
    const extracted = found.filter(isExtracted).map(({ fragment }) => fragment);
    const repeated = await clientObserved(elasticsearch, alias, org, extracted);
    return found.filter(one => !isExtracted(one) || !repeated.has(one.fragment.id));
  };

  // What was said of sessions and names has no retention.
  const ofAll = makeSearches(ofThisVersion(elasticsearch, targets), alias, everything);
  return {
    ...makeListSessions(searches, ofAll),
    ownNames: (scope, limit) => readOwnNames(ofAll, scope, limit),
    fragments: async (scope, filter, order, after, limit) => {
      const found: ListedFragment[] = [];
      for (let from = after; ; ) {
        const next = await page(scope, filter, order, from, limit);
        found.push(...(await withoutRepeated(scope.org, next)));
        if (next.length < limit || found.length >= limit) return found.slice(0, limit);
        from = next.at(-1)!.cursor;
      }
    },
    ...makeListEntities(searches),
    offsets: async (scope, ids) => {
      const filter = [{ terms: { kind: ['turn', 'said'] } }, { terms: { id: ids } }];
      const { hits } = await search<{ hits: { hits: { fields: { id: [string] } & OffsetFields }[] } }>(
        scope,
        filter,
        { ...columns('id', 'offset', 'index'), size: ids.length },
      );
      return new Map(hits.hits.map(({ fields }) => [fields.id[0], eventOffsetIn(fields)]));
    },
    observation: async (scope, id) => {
      const { hits } = await search<Hits>(scope, [OBSERVATION, { term: { id } }], {
        ...columns(...FRAGMENT, 'partition', 'read_offset', 'expires_at'),
        size: 1,
      });
      const [hit] = hits.hits;
      if (!hit) return undefined;
      const { fragment } = fragmentOf(hit.fields);
      const [expiresAt] = hit.fields.expires_at ?? [];
      const topic = fragment.source === 'client' ? 'turns' : 'observations';
      const record = {
        topic,
        partition: hit.fields.partition[0],
        offset: hit.fields.read_offset[0],
      } as const;
      return { ...fragment, ...(expiresAt !== undefined && { expiresAt }), record };
    },
    turn: async (scope, id) => {
      const { hits } = await search<Hits>(scope, [TURN, { term: { id } }], {
        ...columns(...FRAGMENT, 'partition', 'offset', 'index', 'recorded_at', 'expires_at'),
        size: 1,
      });
      const [hit] = hits.hits;
      if (!hit) return undefined;
      const { partition, recorded_at, expires_at } = hit.fields;
      return {
        fragment: fragmentOf(hit.fields).fragment,
        origin: {
          topic: 'turns',
          partition: partition[0],
          offset: eventOffsetIn(hit.fields),
          recordedAt: recorded_at[0],
          ...(expires_at && { expiresAt: expires_at[0] }),
        },
      };
    },
  };
};
