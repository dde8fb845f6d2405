import { normaliseLabel } from '../../../projections/extraction/label.ts';
import { normaliseWords } from '../../../projections/extraction/same-words.ts';
import type { Language } from '../../../projections/language/language.ts';
import { type Explanation, explain } from '../../../projections/ranking/explain.ts';
import type { Prepared } from '../../../projections/ranking/features.ts';
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

export interface HitPorts {
  index: Pick<RecallIndex, 'observationsOf' | 'entitiesOf'>;
  language: Pick<Language, 'analyse'>;
}

export interface RankedCandidates {
  prepared: Prepared;
  /** Best first. */
  ranked: Ranked[];
  confidence: number;
  /** Fragments of ranked candidates by key, without those that have been erased since. */
  fragments(keys: readonly number[]): Promise<ReadonlyMap<number, StoredFragment>>;
}

/** Turns whose entities and extracted observations are considered. */
const LOOKED_AT = 30;
/** An entity weighs less than the best turn that names it: it refers to something, but states nothing about it. */
const ENTITY_WEIGHT = 0.3;

/** One list of all kinds, best first, at most `topK` long; `erased` if a candidate was erased after it was ranked. */
export const chooseHits = async (
  ports: HitPorts,
  scope: Scope,
  ranking: RankedCandidates,
  kinds: ReadonlySet<Kind>,
  topK: number,
  explained = false,
): Promise<ChosenHit[] | 'erased'> => {
  const { ranked } = ranking;
  const explanationOf = (one: Ranked) => (explained ? explain(one) : undefined);
  const best = await bestFragments(ranking, kinds, topK, explanationOf);
  if (best === 'erased') return 'erased';
  const { chosen, turns } = best;
  // A lower-ranked turn may contain all that a higher-ranked observation says.
  const documents = new Map(
    ranked.slice(0, LOOKED_AT * 4).map(one => [one.candidate.key, one.candidate.document]),
  );
  let kept = chosen.filter(hit => {
    if (hit.kind !== 'observation') return true;
    const turn = turns.get(hit.fragment.sourceTurnId!);
    const document = documents.get(hit.fragment.key);
    return !turn || !document || !repeats(document, turn);
  });

  // Extracted observations are looked up if there is room for them or if turns are not requested.
  if (kinds.has('observation') && (!kinds.has('turn') || kept.length < topK)) {
    const isRepeated = makeSaidBefore();
    const found = await extracted(ports, scope, ranking, kept, turns);
    const made = found.map(({ one, fragment }) => observationHit(one.score, explanationOf(one), fragment));
    kept = [...kept, ...behindTurns(kept, made)]
      .sort((a, b) => b.score - a.score)
      .filter(hit => hit.kind !== 'observation' || !isRepeated(hit))
      .slice(0, topK);
  }
  if (!kinds.has('entity')) return kept;
  // A turn says more than the name of an entity in it: entities only fill the remaining places.
  if (kept.length >= topK) return kept;
  const entities = await entityHits(ports, scope, ranking);
  return [...kept, ...behindTurns(kept, entities.slice(0, topK - kept.length))].sort(
    (a, b) => b.score - a.score,
  );
};

/**
 * The first `topK` candidates of these kinds, each fragment once. Reads a fragment only if there is room for it, since an
 * observation may turn out to repeat a better one.
 */
const bestFragments = async (
  { ranked, fragments }: RankedCandidates,
  kinds: ReadonlySet<Kind>,
  topK: number,
  explanationOf: (one: Ranked) => Explanation | undefined,
): Promise<{ chosen: ChosenHit[]; turns: Map<string, Ranked> } | 'erased'> => {
  const chosen: ChosenHit[] = [];
  const turns = new Map<string, Ranked>();
  const saidBefore = makeSaidBefore();
  const wanted = distinct(ranked.filter(({ candidate }) => kinds.has(candidate.kind)));
  for (let at = 0; at < wanted.length && chosen.length < topK; ) {
    const next = wanted.slice(at, at + topK - chosen.length);
    at += next.length;
    const stored = await fragments(next.map(({ candidate }) => candidate.key));
    for (const one of next) {
      const fragment = stored.get(one.candidate.key);
      if (!fragment) return 'erased';
      const { score } = one;
      const explanation = explanationOf(one);
      if (fragment.kind === 'turn') {
        turns.set(fragment.id, one);
        chosen.push({ kind: 'turn', score, explanation, fragment });
        continue;
      }
      const hit = observationHit(score, explanation, fragment);
      if (!saidBefore(hit)) chosen.push(hit);
    }
  }
  return { chosen, turns };
};

/** Removes duplicates: between two hops a turn may move from the tail to the index, and then it has two keys. */
const distinct = (ranked: readonly Ranked[]): Ranked[] => {
  const seen = new Set<string>();
  return ranked.filter(({ candidate: { kind, id } }) => {
    const name = `${kind} ${id}`;
    return !seen.has(name) && seen.add(name);
  });
};

/** Ranks observations and entities after the turns, in their own order: before them they would repeat what a turn says. */
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
 * Returns whether an observation repeats a better one of the same user, from another turn; if so, adds its source turns
 * to the better one. The same words about two users are two facts ("The user is vegan").
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

const topTurnIds = ({ ranked }: RankedCandidates): Map<string, Ranked> => {
  const found = new Map<string, Ranked>();
  for (const one of ranked) {
    if (found.size === LOOKED_AT) break;
    if (one.candidate.kind === 'turn') found.set(`trn_${one.candidate.id}`, one);
  }
  return found;
};

const extracted = async (
  { index, language }: HitPorts,
  scope: Scope,
  ranking: RankedCandidates,
  present: readonly ChosenHit[],
  turns: ReadonlyMap<string, Ranked>,
): Promise<{ one: Ranked; fragment: StoredFragment }[]> => {
  const sources = topTurnIds(ranking);
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
  return rank(ranking.prepared, candidates)
    .filter(({ candidate }) => {
      const turn = turns.get(stored[candidate.key]!.sourceTurnId!);
      return !turn || !repeats(candidate.document, turn);
    })
    .map(one => ({ one, fragment: stored[one.candidate.key]! }));
};

/** Entities of the best turns. An entity ranks higher the larger the score share of the turns that name it. */
const entityHits = async (
  { index }: HitPorts,
  scope: Scope,
  ranking: RankedCandidates,
): Promise<ChosenHit[]> => {
  const turns = topTurnIds(ranking);
  const speakers = new Set(ranking.prepared.statistics.speakers.map(normaliseLabel));
  const byLabel = new Map<string, { entity: StoredEntity; score: number }>();
  const total = [...turns.values()].reduce((sum, { score }) => sum + score, 0);
  for (const entity of await index.entitiesOf(scope, [...turns.keys()])) {
    const normalised = normaliseLabel(entity.label);
    // Every turn names its speaker, which says nothing about this question.
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
