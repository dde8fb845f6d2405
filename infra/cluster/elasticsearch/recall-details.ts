import type { RecallIndex, Scope, StoredEntity, StoredFragment } from '../../../services/core/ports.ts';
import type { Elasticsearch } from './client.ts';
import { unpackFragment } from './fragment.ts';
import { type Clause, columns, type Owned, organizationRouting, sessionKeyOf } from './scope.ts';
import { makeSearches } from './search.ts';

type Details = Pick<RecallIndex, 'observationsOf' | 'entitiesOf' | 'enrichment' | 'job' | 'holdings'>;

/** The engine's limit for the documents of one answer. */
const MOST = 10_000;
/** Turns of one search: some ten documents belong to a turn. */
const TURNS_AT_ONCE = 500;

interface Columns {
  fields: Record<string, string[] | undefined>;
  sort?: unknown[];
}

interface Names {
  buckets: { key: string; doc_count: number; label: { buckets: { key: string }[] } }[];
}

/** A missing document has no source; a missing index is an error. */
interface JobAnswer {
  status?: number;
  error?: { type?: string };
  _source?: { kind: string; org: string; user: string; turns: string[]; passive: boolean };
}

const observed: Clause = { terms: { kind: ['said', 'extracted'] } };
const recorded: Clause[] = [{ terms: { kind: ['turn', 'identity'] } }, { term: { passive: true } }];

/** What belongs to turns: observations, entities, enrichment, jobs. Every search takes the tenant first. */
export const openRecallDetails = (elasticsearch: Elasticsearch, alias: string): Details => {
  const { search: ask, allValues } = makeSearches(elasticsearch, alias);

  /** The fields of all documents that match, in as many requests as it takes. */
  const list = async (
    scope: Owned,
    filter: Clause[],
    sort: string[],
    ...fields: string[]
  ): Promise<Columns['fields'][]> => {
    const found: Columns['fields'][] = [];
    for (let after: unknown[] | undefined; ; ) {
      const { hits } = await ask<{ hits: { hits: Columns[] } }>(scope, filter, {
        ...columns(...fields),
        size: MOST,
        sort: sort.map(field => ({ [field]: 'asc' })),
        ...(after && { search_after: after }),
      });
      found.push(...hits.hits.map(hit => hit.fields ?? {}));
      if (hits.hits.length < MOST) return found;
      after = hits.hits.at(-1)!.sort;
    }
  };

  /** Exact count of a field's distinct values. */
  const distinct = async (
    scope: Pick<Scope, 'org' | 'user'>,
    filter: Clause[],
    field: string,
  ): Promise<number> => {
    let count = 0;
    for await (const _ of allValues(scope, filter, [field])) count++;
    return count;
  };

  const holdings: Details['holdings'] = async (org, user, session) => {
    const scope = { org, user };
    const filter: Clause[] =
      session === undefined ? [] : [{ term: { session_key: sessionKeyOf(org, user, session) } }];
    const turns: Clause = { terms: { kind: ['turn', 'identity'] } };
    const sealed = await list(
      scope,
      [...filter, turns, { exists: { field: 'tokens' } }],
      ['id'],
      'id',
      'tokens',
      'partition',
      'recorded_at',
    );
    return {
      counts: {
        turns: await distinct(scope, [...filter, turns], 'id'),
        observations: await distinct(scope, [...filter, observed], 'id'),
        entities: await distinct(scope, [...filter, { term: { kind: 'mention' } }], 'entity'),
        sessions: await distinct(scope, filter, 'session_key'),
      },
      sealedTokens: sealed.map(({ id, tokens, partition, recorded_at }) => ({
        id: id![0]!,
        partition: Number(partition![0]),
        day: new Date(Number(recorded_at![0])).toISOString().slice(0, 10),
        tokens: Number(tokens![0]),
      })),
    };
  };

  const observationsOf = async (scope: Scope, turnIds: readonly string[]): Promise<StoredFragment[]> => {
    const rows = await list(
      scope,
      [observed, { terms: { turn: turnIds } }],
      ['turn', 'id', 'kind'],
      'fragment',
    );
    const found = new Map<string, StoredFragment>();
    for (const { fragment } of rows) {
      const stored = unpackFragment(fragment![0]!).fragment;
      // A client's observation takes precedence over an extractor's of the same words.
      if (found.get(stored.id)?.source !== 'client') found.set(stored.id, stored);
    }
    return [...found.values()].sort((a, b) => a.timestamp - b.timestamp || (a.id < b.id ? -1 : 1));
  };

  const mentionsOf = (scope: Owned, turnIds: readonly string[]) =>
    list(
      scope,
      [{ term: { kind: 'mention' } }, { terms: { turn: turnIds } }],
      ['turn', 'entity', 'label'],
      'entity',
      'turn',
    );

  /** The smallest spelling of each entity, over all turns of its partition up to `asOf`. */
  const labelsOf = async (scope: Scope, entities: readonly string[]): Promise<Map<string, string>> => {
    const label = { terms: { field: 'label', size: 1, order: { _key: 'asc' }, execution_hint: 'map' } };
    const answer = await ask<{ aggregations: { entities: Names } }>(
      scope,
      [{ term: { kind: 'mention' } }, { terms: { entity: entities } }],
      {
        size: 0,
        aggs: {
          entities: {
            terms: { field: 'entity', size: entities.length, execution_hint: 'map' },
            aggs: { label },
          },
        },
      },
    );
    return new Map(
      answer.aggregations.entities.buckets.map(({ key, label: { buckets } }) => [key, buckets[0]?.key ?? '']),
    );
  };

  /** The rows that the enrichment of these turns is counted from. */
  const enrichmentRows = async (org: string, ids: readonly string[]) => {
    const ofTurns = { terms: { turn: ids } };
    const [passive, outcomes, observations, mentions] = await Promise.all([
      list({ org }, [...recorded, { terms: { id: ids } }], ['id'], 'id'),
      list({ org }, [{ term: { kind: 'enriched' } }, ofTurns], ['turn'], 'turn', 'outcome', 'reason'),
      list({ org }, [observed, ofTurns], ['turn', 'id', 'kind'], 'id'),
      mentionsOf({ org }, ids),
    ]);
    const outcomeOf = new Map(outcomes.map(outcome => [outcome.turn![0], outcome]));
    return {
      outcomes: passive.map(({ id }) => outcomeOf.get(id![0])),
      observations: observations.map(({ id }) => id![0]),
      entities: mentions.map(({ entity }) => entity![0]),
    };
  };

  return {
    holdings,
    observationsOf: async (scope, turnIds) => {
      const found: StoredFragment[] = [];
      for (const ids of chunks(turnIds)) found.push(...(await observationsOf(scope, ids)));
      return found.map((one, key) => ({ ...one, key }));
    },
    entitiesOf: async (scope, turnIds) => {
      const found = new Map<string, Set<string>>();
      for (const ids of chunks(turnIds)) {
        for (const { entity, turn } of await mentionsOf(scope, ids)) {
          const turns = found.get(entity![0]!);
          if (turns) turns.add(turn![0]!);
          else found.set(entity![0]!, new Set([turn![0]!]));
        }
      }
      const entities: StoredEntity[] = [];
      for (const ids of chunks([...found.keys()].sort())) {
        const labels = await labelsOf(scope, ids);
        for (const id of ids)
          entities.push({ id, label: labels.get(id) ?? '', turnIds: [...found.get(id)!] });
      }
      return entities;
    },
    enrichment: async (org, turnIds) => {
      const rows = [];
      for (const ids of chunks(turnIds)) rows.push(await enrichmentRows(org, ids));
      const outcomes = rows.flatMap(row => row.outcomes);
      const failed = outcomes.filter(one => one?.outcome?.[0] === 'failed');
      const queued = outcomes.filter(one => one === undefined).length;
      return {
        queued,
        done: outcomes.length - failed.length - queued,
        failed: failed.length,
        reason: failed[0]?.reason?.[0] ?? null,
        observations: new Set(rows.flatMap(row => row.observations)).size,
        entities: new Set(rows.flatMap(row => row.entities)).size,
      };
    },
    job: async (org, id) => {
      const routing = organizationRouting(org);
      const path = `/${alias}/_doc/${encodeURIComponent(id)}`;
      const answer = await elasticsearch.ask<JobAnswer>('GET', path, { query: { routing }, accepted: [404] });
      elasticsearch.check(answer);
      const { _source: source } = answer;
      if (source?.kind !== 'job' || source.org !== org) return undefined;
      return { id, org, user: source.user, turnIds: source.turns, passive: source.passive };
    },
  };
};

function* chunks<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += TURNS_AT_ONCE) yield all.slice(at, at + TURNS_AT_ONCE);
}
