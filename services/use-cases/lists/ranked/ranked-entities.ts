/** Entities whose names have words, best first. */
import { freshnessOf } from '../../../../core/freshness.ts';
import type { EntityName, ListedEntity, ListedScope, Listing } from '../../../../core/ports.ts';
import { entityId } from '../../../../domain/identity/identity.ts';
import { makeNameScore, makeTextRanking } from '../../../../domain/search/ranked-texts.ts';
import type { Entities } from '../../../../schemas/http/lists.ts';
import { type EntityNames, type EntityPorts, entityItem, NO_NAMES, namesIn } from '../entities.ts';
import type { AskedWords } from './ranked-scopes.ts';
import { bestFirst, eachName, inSteps, type Ranked, rankedPage, shownScore } from './ranking.ts';

export interface RankedEntityPorts extends EntityPorts {
  listing: EntityPorts['listing'] & Pick<Listing, 'entityNames'>;
}

interface Asked extends AskedWords {
  kind: string | undefined;
  turnId: string | undefined;
}

/** The entity that a name stands for. */
interface Standing {
  user: string;
  key: string;
}

/** Names of the scope. Those of a session, a turn or a filter are few: they are listed with their turns. */
const namesOfScope = (
  { listing }: RankedEntityPorts,
  scope: ListedScope,
  { kind, turnId }: Asked,
): Promise<EntityName[]> =>
  eachName<EntityName>((after, most) =>
    scope.session === undefined && turnId === undefined && scope.filter === undefined
      ? listing.entityNames(scope, kind, after, most)
      : listing.entities(scope, { kind, turnId }, after, most),
  );

const rankNames = async (
  found: readonly EntityName[],
  { standing }: EntityNames,
  q: string,
): Promise<Ranked<Standing>[]> => {
  const words = makeTextRanking(q);
  const nameScore = makeNameScore(q);
  await inSteps(found, ({ label }) => words.add(label));
  const best = new Map<string, Ranked<Standing>>();
  await inSteps(found, ({ user, normalised, label }) => {
    const stands = standing.get(normalised);
    const item = { user, key: stands?.key ?? normalised };
    const name = JSON.stringify([user, item.key]);
    for (const text of new Set([label, stands?.label ?? label])) {
      const score = Math.max(words.score(text), nameScore(text));
      if (score > (best.get(name)?.match.score ?? 0))
        best.set(name, { item, name, match: { score, by: 'label', text } });
    }
  });
  return bestFirst(best.values());
};

/** Reads the entities of a page, with their turns in the scope. */
const readEntities = async (
  { listing }: RankedEntityPorts,
  scope: ListedScope,
  ranked: readonly Ranked<Standing>[],
  { namesakes }: EntityNames,
): Promise<Map<string, ListedEntity>> => {
  const found = new Map<string, ListedEntity>();
  for (const [user, those] of Map.groupBy(ranked, ({ item }) => item.user)) {
    const ids = those.map(({ item }) => entityId(scope.org, user, item.key));
    for (const one of await listing.entitiesById({ ...scope, user }, ids))
      found.set(JSON.stringify([user, one.normalised]), one);
  }
  // Set apart by sessions: the index counts them as one.
  for (const one of namesakes.values()) found.set(JSON.stringify([one.user, one.normalised]), one);
  return found;
};

/** Returns one page of the entities that q names: each once, by whichever of its names. */
export const rankEntities = async (
  ports: RankedEntityPorts,
  scope: ListedScope,
  asked: Asked,
): Promise<Entities> => {
  const { listing, admission, clock } = ports;
  const { q, limit, cursor, kind, turnId } = asked;
  const { from, next } = rankedPage('entities', scope, { q, kind, turnId }, cursor);
  const now = clock();
  // Nothing is extracted from a turn that waits: it only tells how far the index is.
  const tail = await admission.tail(scope);
  const { user } = scope;
  // Names of two users are never one.
  const names = user === undefined ? NO_NAMES : await namesIn(ports, { ...scope, user }, { kind, turnId });
  const ofKind = [...names.namesakes.values()].filter(one => (kind ?? one.kind) === one.kind);
  const found = new Map(
    [...(await namesOfScope(ports, scope, asked)), ...ofKind].map(one => [
      JSON.stringify([one.user, one.normalised]),
      one,
    ]),
  );
  const ranked = await rankNames([...found.values()], names, q);
  const shown = ranked.slice(from, from + limit);
  const entities = await readEntities(ports, scope, shown, names);
  const items = await Promise.all(
    shown.map(async ({ name, match }) => {
      const entity = entities.get(name);
      if (!entity || entity.turns === 0) return [];
      const item = await entityItem(listing, scope, entity, names);
      const { text, score, by } = match;
      return [
        { ...item, match: { score: shownScore(score), by, ...(text !== item.label && { text: text! }) } },
      ];
    }),
  );
  return {
    entities: items.flat(),
    next_cursor: next(limit, ranked.length),
    freshness: freshnessOf(now, tail, 0),
  };
};
