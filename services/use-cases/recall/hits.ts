import { normaliseLabel } from '../../../projections/extraction/label.ts';
import { normaliseWords } from '../../../projections/extraction/same-words.ts';
import type { Language } from '../../../projections/language/language.ts';
import { type Explanation, explain } from '../../../projections/ranking/explain.ts';
import { type Ranked, rank } from '../../../projections/ranking/rank.ts';
import { type Document, NO_NEIGHBOURS } from '../../../projections/recall/document.ts';
import type {
  ChosenHit,
  ChosenObservation,
  Kind,
  RecallIndex,
  Scope,
  StoredEntity,
  StoredFragment,
} from '../../core/ports.ts';
import type { RetrievedHits } from './retrieve.ts';

export interface HitPorts {
  index: Pick<RecallIndex, 'observationsOf' | 'entitiesOf'>;
  language: Pick<Language, 'analyse'>;
}

/** Turns whose entities and extracted observations are looked at. */
const LOOKED_AT = 30;
/** Against turns an entity counts for less than the best turn that names it: it points, it doesn't tell. */
const ENTITY_WEIGHT = 0.3;

/** One list over all kinds, the best first, at most `topK` long. */
export const chooseHits = async (
  ports: HitPorts,
  scope: Scope,
  retrieved: RetrievedHits,
  kinds: ReadonlySet<Kind>,
  topK: number,
  explained = false,
): Promise<ChosenHit[]> => {
  const { ranked, fragment } = retrieved;
  const explanationOf = (one: Ranked) => (explained ? explain(one) : undefined);
  const chosen: ChosenHit[] = [];
  const turns = new Map<string, Ranked>();
  const seen = new Set<string>();
  const saidBefore = makeSaidBefore();
  for (const one of ranked) {
    if (chosen.length === topK) break;
    if (!kinds.has(one.candidate.kind)) continue;
    const stored = fragment(one.candidate.key);
    // Between two hops a turn may pass from the tail to the index, and then it has two keys.
    if (seen.has(stored.id)) continue;
    seen.add(stored.id);
    const { score } = one;
    const explanation = explanationOf(one);
    if (stored.kind === 'turn') {
      turns.set(stored.id, one);
      chosen.push({ kind: 'turn', score, explanation, fragment: stored });
      continue;
    }
    const hit = observationHit(score, explanation, stored);
    if (!saidBefore(hit)) chosen.push(hit);
  }
  // A later turn may say all that an earlier observation says.
  const documents = new Map(
    ranked.slice(0, LOOKED_AT * 4).map(one => [one.candidate.key, one.candidate.document]),
  );
  let kept = chosen.filter(hit => {
    if (hit.kind !== 'observation') return true;
    const turn = turns.get(hit.fragment.sourceTurnId!);
    const document = documents.get(hit.fragment.key);
    return !turn || !document || !repeats(document, turn);
  });

  // What extractors made of a turn is looked up when there is room for it, or when no turn may be shown.
  if (kinds.has('observation') && (!kinds.has('turn') || kept.length < topK)) {
    const isRepeated = makeSaidBefore();
    const found = await extracted(ports, scope, retrieved, kept, turns);
    const made = found.map(({ one, fragment }) => observationHit(one.score, explanationOf(one), fragment));
    kept = [...kept, ...behindTurns(kept, made)]
      .sort((a, b) => b.score - a.score)
      .filter(hit => hit.kind !== 'observation' || !isRepeated(hit))
      .slice(0, topK);
  }
  if (!kinds.has('entity')) return kept;
  // A turn tells more than the name of something in it: entities get the places that are left.
  if (kept.length >= topK) return kept;
  const entities = await entityHits(ports, scope, retrieved);
  return [...kept, ...behindTurns(kept, entities.slice(0, topK - kept.length))].sort(
    (a, b) => b.score - a.score,
  );
};

/**
 * What was made of turns takes the places behind them, in its own order: before them it would say again what a turn
 * says, and push another one down.
 */
const behindTurns = <T extends ChosenHit>(kept: readonly ChosenHit[], made: readonly T[]): T[] => {
  const last = kept.reduce((least, hit) => (hit.kind === 'turn' ? Math.min(least, hit.score) : least), 1);
  return made.map(hit => {
    const score = last * hit.score;
    if (hit.kind === 'entity' || !hit.explanation) return { ...hit, score };
    return { ...hit, score, explanation: { ...hit.explanation, factor: last } };
  });
};

const observationHit = (
  score: number,
  explanation: Explanation | undefined,
  fragment: StoredFragment,
): ChosenObservation => ({
  kind: 'observation',
  score,
  explanation,
  fragment,
  sourceTurnIds: [fragment.sourceTurnId!],
});

/**
 * Whether an observation says what a better one of the same user said, in another turn: then that one takes its turns
 * over. What two users say of themselves is not one fact ("The user is vegan").
 */
const makeSaidBefore = (): ((hit: ChosenObservation) => boolean) => {
  const said = new Map<string, ChosenObservation>();
  return hit => {
    const key = `${hit.fragment.user}\n${normaliseWords(hit.fragment.text)}`;
    const first = said.get(key);
    if (first === undefined) {
      said.set(key, hit);
      return false;
    }
    first.sourceTurnIds = [...new Set([...first.sourceTurnIds, ...hit.sourceTurnIds])];
    return true;
  };
};

/** An observation repeats a turn when it has no content word that the turn doesn't have. */
const repeats = (document: Document, turn: Ranked): boolean => {
  const said = new Set(turn.candidate.document.stems);
  return document.stems.every(stem => said.has(stem));
};

const topTurnIds = ({ ranked, fragment }: RetrievedHits): Map<string, Ranked> => {
  const found = new Map<string, Ranked>();
  for (const one of ranked) {
    if (found.size === LOOKED_AT) break;
    if (one.candidate.kind === 'turn') found.set(fragment(one.candidate.key).id, one);
  }
  return found;
};

const extracted = async (
  { index, language }: HitPorts,
  scope: Scope,
  retrieved: RetrievedHits,
  present: readonly ChosenHit[],
  turns: ReadonlyMap<string, Ranked>,
): Promise<{ one: Ranked; fragment: StoredFragment }[]> => {
  const sources = topTurnIds(retrieved);
  const known = new Set(present.map(hit => (hit.kind === 'entity' ? hit.entity.id : hit.fragment.id)));
  const stored = (await index.observationsOf(scope, [...sources.keys()])).filter(one => !known.has(one.id));
  const candidates = stored.map((one, key) => ({
    key,
    id: one.id.slice(4),
    kind: 'observation' as const,
    session: sources.get(one.sourceTurnId!)!.candidate.session,
    role: one.role,
    timestamp: one.timestamp,
    document: language.analyse(one.text, one),
    neighbours: NO_NEIGHBOURS,
  }));
  return rank(retrieved.prepared, candidates)
    .filter(({ candidate }) => {
      const turn = turns.get(stored[candidate.key]!.sourceTurnId!);
      return !turn || !repeats(candidate.document, turn);
    })
    .map(one => ({ one, fragment: stored[one.candidate.key]! }));
};

/** Entities of the best turns: the more of their score names one, the higher it stands. */
const entityHits = async (
  { index }: HitPorts,
  scope: Scope,
  retrieved: RetrievedHits,
): Promise<ChosenHit[]> => {
  const turns = topTurnIds(retrieved);
  const speakers = new Set(retrieved.prepared.statistics.speakers.map(normaliseLabel));
  const byLabel = new Map<string, { entity: StoredEntity; score: number }>();
  const total = [...turns.values()].reduce((sum, { score }) => sum + score, 0);
  for (const entity of await index.entitiesOf(scope, [...turns.keys()])) {
    const normalised = normaliseLabel(entity.label);
    // Who speaks is in every turn: that says nothing about this question.
    if (speakers.has(normalised)) continue;
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
