import type { ListedEntity, Listing, NamedEntity } from '../../../../core/ports.ts';
import { entityId } from '../../../../domain/identity/identity.ts';
import { type Clause, ofWindow } from '../scope-clauses.ts';
import type { Searches, ValuesBucket } from './list-searches.ts';

interface Name {
  buckets: { key: string }[];
}

interface NamedBucket extends ValuesBucket {
  key: { user: string; normalised: string };
  id: Name;
}

interface Described {
  label: string;
  kind: string;
}

/** The most entities of one turn in an answer: extractors find fewer. */
const MOST_OF_TURN = 1_000;

/** Names of a query. */
const NAMES_AT_ONCE = 5_000;

const MENTION: Clause = { term: { kind: 'mention' } };

/** Returns an aggregation of the smallest of a field's values. */
const smallest = (field: string) => ({
  terms: { field, size: 1, order: { _key: 'asc' }, execution_hint: 'map' },
});
const nameIn = ({ buckets }: Name): string => buckets[0]?.key ?? '';

type EntityScope = Parameters<Listing['entities']>[0];

const ofEntities = (ids: readonly string[]): Clause => ({ terms: { entity: ids } });

/** Returns labels and kinds over all of a user's turns up to `asOf`, including turns that aren't listed. */
const describe = async (
  { search }: Searches,
  { org, user, asOf }: EntityScope,
  ids: readonly string[],
): Promise<Map<string, Described>> => {
  const entities = {
    terms: { field: 'entity', size: ids.length, execution_hint: 'map' },
    aggs: { label: smallest('label'), kind: smallest('entity_kind') },
  };
  type Answer = {
    aggregations: { entities: { buckets: { key: string; label: Name; kind: Name }[] } };
  };
  const { aggregations } = await search<Answer>({ org, user, asOf }, [MENTION, ofEntities(ids)], {
    size: 0,
    aggs: { entities },
  });
  return new Map(
    aggregations.entities.buckets.map(({ key, label, kind }) => [
      key,
      { label: nameIn(label), kind: nameIn(kind) },
    ]),
  );
};

/** Counts the scope's turns that name each entity. */
const countTurns = async (
  { allValues }: Searches,
  scope: EntityScope,
  ids: readonly string[],
): Promise<Map<string, number>> => {
  const filter = [...ofWindow(scope), MENTION, ofEntities(ids)];
  const counts = new Map(ids.map(id => [id, 0]));
  for await (const { key } of allValues(scope, filter, ['entity', 'turn']))
    counts.set(String(key.entity), counts.get(String(key.entity))! + 1);
  return counts;
};

/** Lists entities, each aggregated from its mentions: the index has no document for an entity. */
export const makeListEntities = (
  searches: Searches,
): Pick<Listing, 'entities' | 'entitiesById' | 'entityNames' | 'naming' | 'named' | 'areNamed'> => {
  const { pages } = searches;

  /** Leaves out entities erased between the two searches. */
  const entitiesOf = async (scope: EntityScope, found: readonly NamedBucket[]): Promise<ListedEntity[]> => {
    if (found.length === 0) return [];
    const ids = found.map(({ id }) => nameIn(id));
    const [descriptions, turns] = await Promise.all([
      describe(searches, scope, ids),
      countTurns(searches, scope, ids),
    ]);
    return found.flatMap(({ key }, i) => {
      const id = ids[i]!;
      const described = descriptions.get(id);
      return described && turns.get(id)! > 0 ? [{ ...key, id, ...described, turns: turns.get(id)! }] : [];
    });
  };

  const entities: Listing['entities'] = async (scope, { kind, turnId }, after, limit) => {
    const isOfAll = scope.session === undefined && turnId === undefined;
    const filter: Clause[] = [
      MENTION,
      ...ofWindow(scope),
      ...(turnId === undefined ? [] : [{ term: { turn: turnId } }]),
      // Mentions of an entity may differ in kind; the entity's kind is the smallest, so at least one mention
      // has it.
      ...(kind !== undefined && isOfAll ? [{ term: { entity_kind: kind } }] : []),
    ];
    const page = { size: limit, after, aggs: { id: smallest('entity') } };
    const listed: ListedEntity[] = [];
    for await (const found of pages<NamedBucket>(scope, filter, ['user', 'normalised'], page)) {
      const entities = await entitiesOf(scope, found);
      listed.push(...entities.filter(entity => kind === undefined || entity.kind === kind));
      if (listed.length >= limit) break;
    }
    return listed.slice(0, limit);
  };

  const entitiesById: Listing['entitiesById'] = async (scope, ids) => {
    if (ids.length === 0) return [];
    const filter = [MENTION, ...ofWindow(scope), ofEntities(ids)];
    const page = { size: ids.length, aggs: { id: smallest('entity') } };
    const { value: found } = await pages<NamedBucket>(scope, filter, ['user', 'normalised'], page).next();
    return entitiesOf(scope, found!);
  };

  const entityNames: Listing['entityNames'] = async (scope, kind, after, limit) => {
    const filter = [MENTION, ...(kind === undefined ? [] : [{ term: { entity_kind: kind } }])];
    const page = { size: limit, after, aggs: { id: smallest('entity') } };
    const { value: found } = await pages<NamedBucket>(scope, filter, ['user', 'normalised'], page).next();
    if (found!.length === 0) return [];
    const ids = found!.map(({ id }) => nameIn(id));
    const descriptions = await describe(searches, scope, ids);
    return found!.flatMap(({ key }, i) => {
      const described = descriptions.get(ids[i]!);
      return described ? [{ ...key, id: ids[i]!, ...described }] : [];
    });
  };

  const named: Listing['named'] = async (scope, turnId) => {
    const page = { size: MOST_OF_TURN, aggs: { id: smallest('entity') } };
    const all: NamedEntity[] = [];
    const filter = [MENTION, { term: { turn: turnId } }];
    for await (const found of pages<NamedBucket>(scope, filter, ['user', 'normalised'], page)) {
      if (found.length === 0) break;
      const ids = found.map(({ id }) => nameIn(id));
      const descriptions = await describe(searches, scope, ids);
      // Leave out entities erased between the two searches.
      for (const [i, { key }] of found.entries()) {
        const described = descriptions.get(ids[i]!);
        if (described) all.push({ user: key.user, id: ids[i]!, ...described });
      }
    }
    return all;
  };

  const naming: Listing['naming'] = async (scope, normalised) => {
    let turns = 0;
    const filter = [...ofWindow(scope), MENTION, { terms: { normalised } }];
    for await (const _ of searches.allValues(scope, filter, ['turn'])) turns++;
    return turns;
  };

  const areNamed: Listing['areNamed'] = async (org, names) => {
    const ids = names.map(({ user, normalised }) => entityId(org, user, normalised));
    const said = new Set<string>();
    for (let at = 0; at < ids.length; at += NAMES_AT_ONCE) {
      const some = [...new Set(ids.slice(at, at + NAMES_AT_ONCE))];
      const found = { terms: { field: 'entity', size: some.length, execution_hint: 'map' } };
      type Answer = { aggregations: { found: { buckets: { key: string }[] } } };
      const { aggregations } = await searches.search<Answer>({ org }, [MENTION, ofEntities(some)], {
        size: 0,
        aggs: { found },
      });
      for (const { key } of aggregations.found.buckets) said.add(key);
    }
    return ids.map(id => said.has(id));
  };

  return { entities, entitiesById, entityNames, naming, named, areNamed };
};
