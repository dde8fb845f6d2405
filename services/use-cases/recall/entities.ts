import { normaliseLabel } from '../../../projections/extraction/label.ts';
import { normaliseWords } from '../../../projections/extraction/same-words.ts';
import type { Ranked } from '../../../projections/ranking/rank.ts';
import type { ChosenHit, RecallIndex, Scope, StoredEntity } from '../../core/ports.ts';

export type EntityHit = Extract<ChosenHit, { kind: 'entity' }>;

/** An entity weighs less than the best turn that names it: it refers to something, but states nothing about it. */
const ENTITY_WEIGHT = 0.3;

/** Entities of these turns, best first. One ranks higher the larger the score share of the turns that name it. */
export const entityHits = async (
  index: Pick<RecallIndex, 'entitiesOf'>,
  scope: Scope,
  turns: ReadonlyMap<string, Ranked>,
  speakers: readonly string[],
): Promise<EntityHit[]> => {
  const speaking = new Set(speakers.map(normaliseLabel));
  const byLabel = new Map<string, { entity: StoredEntity; score: number }>();
  const total = [...turns.values()].reduce((sum, { score }) => sum + score, 0);
  for (const entity of await index.entitiesOf(scope, [...turns.keys()])) {
    const normalised = normaliseLabel(entity.label);
    // Every turn names its speaker, which says nothing about this question.
    if (speaking.has(normalised)) continue;
    const scores = entity.turnIds.map(id => turns.get(id)!.score);
    const share = scores.reduce((sum, score) => sum + score, 0) / (total || 1);
    const score = ENTITY_WEIGHT * Math.max(...scores) * (0.5 + 0.5 * share);
    const known = byLabel.get(normalised);
    if (!known || known.score < score) byLabel.set(normalised, { entity, score });
  }
  return [...byLabel.values()]
    .sort((a, b) => b.score - a.score || (a.entity.id < b.entity.id ? -1 : 1))
    .map(({ entity, score }) => ({ kind: 'entity', score, entity }));
};

/** Those that the question names, in their order. */
export const namedIn = (question: string, entities: readonly EntityHit[]): EntityHit[] => {
  const words = ` ${normaliseWords(question)} `;
  return entities.filter(({ entity }) => words.includes(` ${normaliseWords(entity.label)} `));
};
