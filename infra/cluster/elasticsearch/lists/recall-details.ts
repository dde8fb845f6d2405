import { makeKeptCorrections } from '../../../../core/caches/kept-corrections.ts';
import { makeYieldWhenDue } from '../../../../core/fairness/yield-when-due.ts';
import type { Scope, StoredEntity, TurnDetails } from '../../../../core/ports.ts';
import type { NewFragment } from '../../../../domain/search/fragment.ts';
import { cancelledBy, type Elasticsearch } from '../elasticsearch-client.ts';
import { everything, type Horizons } from '../horizons.ts';
import { FRAGMENT, type FragmentFields, fragmentOf } from '../packed-fragment.ts';
import { type Clause, type Owned, sessionKeyOf } from '../scope-clauses.ts';
import { jobIn, jobOfTurnIn } from './jobs.ts';
import { judgementsIn } from './judgements.ts';
import { type FieldValues, makeSearches, OBSERVED, RECORDED, type Searches } from './list-searches.ts';
import { readNameCorrections } from './name-corrections.ts';
import { openRecallFacts } from './recall-facts.ts';

/** Turns per search: a turn has about ten documents. */
const TURNS_AT_ONCE = 500;

/** Sessions per search: most users have fewer, and who has more is asked for until it is enough. */
const SESSIONS_AT_ONCE = 1_000;

const MENTION: Clause = { term: { kind: 'mention' } };

/** Opens reads of turns' observations, entities, enrichment and jobs. Every search takes the tenant first. */
export const openRecallDetails = (
  elasticsearch: Elasticsearch,
  alias: string,
  horizons: Horizons,
): TurnDetails => {
  const searches = makeSearches(elasticsearch, alias, horizons);
  const ofAll = makeSearches(elasticsearch, alias, everything);
  const kept = makeKeptCorrections(makeYieldWhenDue);
  const cancelled = (signal: AbortSignal | undefined): Searches =>
    signal ? makeSearches(cancelledBy(elasticsearch, signal), alias, horizons) : searches;
  return {
    ...openRecallFacts(elasticsearch, alias, horizons),
    holdings: holdingsIn(ofAll),
    sessionsOf: async function* (org, user) {
      for await (const page of ofAll.pages({ org, user }, [], ['session'], { size: SESSIONS_AT_ONCE }))
        yield page.map(({ key }) => String(key.session));
    },
    observationsOf: async (scope, turnIds, signal) => {
      const searches = cancelled(signal);
      const found: NewFragment[] = [];
      for (const ids of chunks(turnIds)) found.push(...(await observationsOf(searches, scope, ids)));
      return found.map((one, key) => ({ key, ...one }));
    },
    entitiesOf: (scope, turnIds, signal) => entitiesIn(cancelled(signal), scope, turnIds),
    nameCorrections: (scope, signal) =>
      readNameCorrections(
        {
          searches: cancelled(signal),
          ofAll: signal ? makeSearches(cancelledBy(elasticsearch, signal), alias, everything) : ofAll,
          kept,
        },
        scope,
      ),
    judgements: judgementsIn(ofAll),
    enrichment: enrichmentIn(searches, ofAll),
    isQueued: isQueuedIn(ofAll),
    job: jobIn(elasticsearch, alias),
    jobOfTurn: jobOfTurnIn(ofAll),
  };
};

/** Counts an owner's holdings. Expired data counts until it is swept, since an erasure removes it too. */
const holdingsIn =
  ({ allValues }: Searches): TurnDetails['holdings'] =>
  async (org, user, session) => {
    const scope = { org, user };
    const filter: Clause[] =
      session === undefined ? [] : [{ term: { session_key: sessionKeyOf(org, user, session) } }];
    /** Counts a field's distinct values exactly. */
    const distinct = async (field: string, ...which: Clause[]): Promise<number> => {
      let count = 0;
      for await (const _ of allValues(scope, [...filter, ...which], [field])) count++;
      return count;
    };
    return {
      turns: await distinct('id', RECORDED),
      observations: await distinct('id', OBSERVED),
      entities: await distinct('entity', MENTION),
      sessions: await distinct('session_key'),
    };
  };

const observationsOf = async (
  { list }: Searches,
  scope: Scope,
  turnIds: readonly string[],
): Promise<NewFragment[]> => {
  const filter = [OBSERVED, { terms: { turn: turnIds } }];
  const rows = await list(scope, filter, ['turn', 'id', 'kind'], FRAGMENT);
  const found = new Map<string, NewFragment>();
  for (const fields of rows) {
    const { fragment } = fragmentOf(fields as FieldValues & FragmentFields);
    // A client's observation takes precedence over an extracted one with the same words.
    if (found.get(fragment.id)?.source !== 'client') found.set(fragment.id, fragment);
  }
  return [...found.values()].sort((a, b) => a.timestamp - b.timestamp || (a.id < b.id ? -1 : 1));
};

const mentionsOf = ({ list }: Searches, scope: Owned, turnIds: readonly string[]) =>
  list(scope, [MENTION, { terms: { turn: turnIds } }], ['turn', 'entity', 'label'], ['entity', 'turn']);

const entitiesIn = async (
  searches: Searches,
  scope: Scope,
  turnIds: readonly string[],
): Promise<StoredEntity[]> => {
  const found = new Map<string, Set<string>>();
  for (const ids of chunks(turnIds)) {
    for (const { entity, turn } of await mentionsOf(searches, scope, ids)) {
      const turns = found.get(entity![0]!);
      if (turns) turns.add(turn![0]!);
      else found.set(entity![0]!, new Set([turn![0]!]));
    }
  }
  const entities: StoredEntity[] = [];
  for (const ids of chunks([...found.keys()].sort())) {
    const described = await describe(searches, scope, ids);
    for (const id of ids)
      entities.push({ id, label: '', kind: '', ...described.get(id), turnIds: [...found.get(id)!] });
  }
  return entities;
};

/** Returns each entity's smallest spelling and smallest kind, over its partition's turns up to `asOf`. */
const describe = async (
  { search }: Searches,
  scope: Scope,
  entities: readonly string[],
): Promise<Map<string, { label: string; kind: string }>> => {
  type Name = { buckets: { key: string }[] };
  type Names = { buckets: { key: string; label: Name; kind: Name }[] };
  const smallest = (field: string) => ({
    terms: { field, size: 1, order: { _key: 'asc' }, execution_hint: 'map' },
  });
  const named = {
    terms: { field: 'entity', size: entities.length, execution_hint: 'map' },
    aggs: { label: smallest('label'), kind: smallest('entity_kind') },
  };
  const { aggregations } = await search<{ aggregations: { entities: Names } }>(
    scope,
    [MENTION, { terms: { entity: entities } }],
    { size: 0, aggs: { entities: named } },
  );
  return new Map(
    aggregations.entities.buckets.map(({ key, label, kind }) => [
      key,
      { label: label.buckets[0]?.key ?? '', kind: kind.buckets[0]?.key ?? '' },
    ]),
  );
};

const passiveTurns = (ids: readonly string[]): Clause[] => [
  RECORDED,
  { term: { passive: true } },
  { terms: { id: ids } },
];
const enriched = (ids: readonly string[]): Clause[] => [
  { term: { kind: 'enriched' } },
  { terms: { turn: ids } },
];

const isQueuedIn =
  ({ list }: Searches): TurnDetails['isQueued'] =>
  async (org, turnIds) => {
    for (const ids of chunks(turnIds)) {
      const [passive, outcomes] = await Promise.all([
        list({ org }, passiveTurns(ids), ['id'], ['id']),
        list({ org }, enriched(ids), ['turn'], ['turn']),
      ]);
      const ended = new Set(outcomes.map(({ turn }) => turn![0]));
      if (passive.some(({ id }) => !ended.has(id![0]))) return true;
    }
    return false;
  };

/** Reports how the enrichment of turns ended, including expired turns. */
const enrichmentIn = (searches: Searches, ofAll: Searches): TurnDetails['enrichment'] => {
  /** Fetches the rows from which the enrichment of these turns is counted. */
  const rowsOf = async (org: string, ids: readonly string[]) => {
    const { list } = searches;
    const ofTurns = { terms: { turn: ids } };
    const [passive, outcomes, observations, mentions] = await Promise.all([
      ofAll.list({ org }, passiveTurns(ids), ['id'], ['id']),
      ofAll.list({ org }, enriched(ids), ['turn'], ['turn', 'outcome', 'reason']),
      list({ org }, [OBSERVED, ofTurns], ['turn', 'id', 'kind'], ['id']),
      mentionsOf(searches, { org }, ids),
    ]);
    const outcomeOf = new Map(outcomes.map(outcome => [outcome.turn![0], outcome]));
    return {
      outcomes: passive.map(({ id }) => outcomeOf.get(id![0])),
      observations: observations.map(({ id }) => id![0]),
      entities: mentions.map(({ entity }) => entity![0]),
    };
  };

  return async (org, turnIds) => {
    const rows = [];
    for (const ids of chunks(turnIds)) rows.push(await rowsOf(org, ids));
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
  };
};

function* chunks<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += TURNS_AT_ONCE) yield all.slice(at, at + TURNS_AT_ONCE);
}
