import type { ChosenEntity, ChosenHit, Scope, StoredEntity, TurnDetails } from '../../../../core/ports.ts';
import { normaliseLabel } from '../../../../domain/extraction/names/label.ts';
import { normaliseWords } from '../../../../domain/extraction/sentences/same-words.ts';
import { type Names, namesOf } from '../../../../domain/facts/names/names.ts';
import { setApart } from '../../../../domain/facts/names/said-of.ts';
import { entityId } from '../../../../domain/identity/identity.ts';
import { answerKinds } from '../../../../domain/language/query/answer-kinds.ts';
import type { Ranked } from '../../../../domain/ranking/rank.ts';
import { PERSON } from '../../lists/read-names.ts';
import type { RecallNames } from './recall-names.ts';

export type EntityHit = Extract<ChosenHit, { kind: 'entity' }> & {
  /** All labels by which it is named. */
  names: readonly string[];
};

export interface EntityPorts {
  details: Pick<TurnDetails, 'entitiesOf' | 'turnsOf'>;
  /** The names of the one user that is searched; without them, entities are named as they were said. */
  names?: RecallNames | undefined;
}

/**
 * An entity weighs less than the best turn that names it: it refers to something, but states nothing about
 * it.
 */
const ENTITY_WEIGHT = 0.3;

/**
 * Entities of these turns, best first. One ranks higher the larger the score share of the turns that name it,
 * by any name.
 */
export const entityHits = async (
  { details, names }: EntityPorts,
  scope: Scope,
  turns: ReadonlyMap<string, Ranked>,
  speakers: readonly string[],
): Promise<EntityHit[]> => {
  const speaking = new Set(speakers.map(normaliseLabel));
  const total = [...turns.values()].reduce((sum, { score }) => sum + score, 0);
  const named = await details.entitiesOf(scope, [...turns.keys()]);
  const found = (await withNamesakes(details, scope, named, names)).filter(
    // Every turn names its speaker, which says nothing about this question.
    ({ label }) => !speaking.has(normaliseLabel(label)),
  );
  const byName = new Map<string, EntityHit>();
  for (const [name, entity] of await merged(found, names)) {
    const scores = entity.turnIds.map(id => turns.get(id)!.score);
    const share = scores.reduce((sum, score) => sum + score, 0) / (total || 1);
    const score = ENTITY_WEIGHT * Math.max(...scores) * (0.5 + 0.5 * share);
    const known = byName.get(name);
    if (!known || known.score < score)
      byName.set(name, { kind: 'entity', score, entity, names: entity.names });
  }
  return [...byName.values()].sort((a, b) => b.score - a.score || (a.entity.id < b.entity.id ? -1 : 1));
};

/** The entities with those that somebody set apart by sessions, each with the turns that mean it. */
const withNamesakes = async (
  details: Pick<TurnDetails, 'turnsOf'>,
  scope: Scope,
  found: readonly StoredEntity[],
  names: RecallNames | undefined,
): Promise<readonly StoredEntity[]> => {
  const corrections = names ? await names.corrections() : [];
  if (!names || corrections.every(({ sessions }) => sessions === undefined)) return found;
  const apart = setApart(corrections);
  const turns = await details.turnsOf(scope, [...new Set(found.flatMap(({ turnIds }) => turnIds))]);
  const sessions = new Map(turns.map(({ id, session }) => [id, session]));
  const { org, user } = names.scope;
  return found.flatMap(one => {
    const byLabel = Map.groupBy(one.turnIds, id => apart(one.label, sessions.get(id)) ?? one.label);
    return [...byLabel].map(([label, turnIds]) =>
      label === one.label
        ? { ...one, turnIds }
        : { ...one, label, turnIds, id: entityId(org, user, normaliseLabel(label)) },
    );
  });
};

/** Whether the question names an entity. */
const isIn = (question: string, { names }: EntityHit): boolean => {
  const words = ` ${normaliseWords(question)} `;
  return names.some(name => words.includes(` ${normaliseWords(name)} `));
};

/**
 * Returns those that the question doesn't name, as they may be the answer: first those of the kind that is
 * asked for.
 */
export const answering = (question: string, entities: readonly EntityHit[]): EntityHit[] => {
  const { things } = answerKinds(question);
  const isOfKind = ({ names }: EntityHit): boolean =>
    names.some(name => things.some(words => words.test(name)));
  return entities
    .filter(one => !isIn(question, one))
    .toSorted((a, b) => Number(isOfKind(b)) - Number(isOfKind(a)));
};

/** Those that the question names, in their order. */
export const namedIn = (question: string, entities: readonly EntityHit[]): EntityHit[] =>
  entities.filter(one => isIn(question, one));

interface Merged extends ChosenEntity {
  names: readonly string[];
}

type ByName = [name: string, entity: Merged];

/**
 * One for one entity. Only where some of these would be one are the user's persons read, of whom exactly one
 * has to fit: as in their list.
 */
const merged = async (found: readonly StoredEntity[], names: RecallNames | undefined): Promise<ByName[]> => {
  if (!names || found.length === 0) return found.map(asSaid);
  // Without counts every spelling may be a misspelled one: the list decides.
  const labels = found.map(({ label, kind }) => ({ label, mentions: 0, isPerson: kind === PERSON }));
  const here = namesOf(labels, await names.corrections(), 'any');
  const isMerged = [...here.standing].some(([key, one]) => one.key !== key);
  if (!isMerged) return found.map(one => shownAs(one, here));
  const { org, user } = names.scope;
  const all = await names.all();
  const keyOf = ({ label }: StoredEntity): string => {
    const key = normaliseLabel(label);
    return all.standing.get(key)?.key ?? key;
  };
  return [...Map.groupBy(found, keyOf)].map(([key, ones]) => {
    const others = [...all.standing].filter(([, one]) => one.key === key).map(([name]) => name);
    const label = all.standing.get(key)?.label ?? all.entities.get(key)?.label ?? ones[0]!.label;
    const spelled = [key, ...others].flatMap(name => all.entities.get(name)?.label ?? []);
    return [
      key,
      {
        id: entityId(org, user, key),
        mentionedAs: ones[0]!.id,
        label,
        turnIds: [...new Set(ones.flatMap(({ turnIds }) => turnIds))],
        names: [...new Set([label, ...spelled, ...ones.map(one => one.label)])],
      },
    ];
  });
};

const asSaid = (entity: StoredEntity): ByName => [
  normaliseLabel(entity.label),
  { ...entity, mentionedAs: entity.id, names: [entity.label] },
];

const shownAs = (entity: StoredEntity, { standing }: Names): ByName => {
  const [name, said] = asSaid(entity);
  const label = standing.get(name)?.label ?? entity.label;
  return [name, { ...said, label, names: [...new Set([label, entity.label])] }];
};
