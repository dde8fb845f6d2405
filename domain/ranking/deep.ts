import type { Query } from '../language/language.ts';
import type { Candidate } from '../search/document.ts';
import { CHATS, type Chat } from './features/chat-kind.ts';
import { DEEP_FEATURES, deepFeatureRows } from './features/deep-features.ts';
import type { Prepared } from './features/features.ts';
import { scored } from './features/scored-parts.ts';
import {
  activeSums,
  contentSums,
  linearSums,
  order,
  type Ranked,
  rank,
  WEIGHTS,
  weightsOf,
  withModels,
} from './rank.ts';
import fitted from './weights.json' with { type: 'json' };

/** Number of first-pass hits that the second hop follows. */
const FOLLOWED = 5;
/** Number of rare stems that it takes from those hits. */
const TAKEN = 12;
/** Weight of a taken stem; the query's own stems have 1. */
const TAKEN_WEIGHT = 0.4;
/** High because the taken stems are the rarest of the hits. */
const TAKEN_RARITY = 2;

/** Number of first places that deep mode leaves as active mode fills them. */
export const ACTIVE_PLACES = 10;

/** Weights of the deep features, by kind of chat; added to the sums of active mode. */
const DEEP_WEIGHTS = Object.fromEntries(
  CHATS.map(chat => [chat, weightsOf(DEEP_FEATURES, fitted[chat].deep.weights)]),
) as Record<Chat, Float64Array>;

/**
 * Builds the query of deep mode's second hop, which also searches for the subjects of the first hits. Its
 * terms are those of the query and the rarest stems of the best hits. It only selects candidates; `rankDeep`
 * ranks them by the original query. Rarity is measured among the first candidates, so it needs no further
 * reads.
 */
export const secondHop = (query: Query, ranked: readonly Ranked[]): Query => {
  const holding = new Map<number, number>();
  for (const { candidate } of ranked) {
    for (const stem of candidate.document.stems) holding.set(stem, (holding.get(stem) ?? 0) + 1);
  }
  const own = new Set(query.terms.map(term => term.stem));
  const found = new Map<number, number>();
  for (const { candidate, score } of ranked.slice(0, FOLLOWED)) {
    for (const stem of candidate.document.stems) {
      if (own.has(stem)) continue;
      const rareness = Math.log(1 + ranked.length / holding.get(stem)!);
      found.set(stem, (found.get(stem) ?? 0) + score * rareness);
    }
  }
  const taken = [...found].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, TAKEN);
  const terms = taken.map(([stem]) => ({ stem, weight: TAKEN_WEIGHT, rarity: TAKEN_RARITY }));
  return { ...query, terms: [...query.terms, ...terms] };
};

/**
 * Ranks the candidates of both hops together, by the sum of active mode and the deep features
 * (deep-features.ts). The first places stay those of active mode; candidates that the first hits lead to come
 * after them.
 *
 * @param ranked the first hop's candidates as `rank` orders them; all candidates if there was one hop
 */
export const rankDeep = (
  prepared: Prepared,
  candidates: readonly Candidate[],
  ranked: readonly Ranked[] = rank(prepared, candidates),
): Ranked[] => {
  const { chat } = prepared;
  const { sums: first, ...parts } = scored(prepared, candidates, activeSums(chat));
  const contents = contentSums(parts.table.rows, first, WEIGHTS[chat]);
  const deepRows = deepFeatureRows(prepared, parts.candidates, first);
  const added = linearSums(deepRows, DEEP_FEATURES.length, DEEP_WEIGHTS[chat]);
  const own = first.map((sum, c) => sum + added[c]!);
  const { score, ...fused } = withModels(prepared, parts.candidates, 'deep', own);
  const deep = order(parts, { ...fused, first, contents }, { chat, ...score }, deepRows);
  return activeFirst(ranked, deep);
};

/**
 * Takes the first places from the active ranking and all others in the order of the deep one, with scores
 * that match the order.
 */
const activeFirst = (active: readonly Ranked[], deep: readonly Ranked[]): Ranked[] => {
  const first = active.slice(0, ACTIVE_PLACES);
  const placed = new Set(first.map(({ candidate }) => candidate.key));
  const last = first.at(-1)?.score ?? 1;
  const others = deep.filter(({ candidate }) => !placed.has(candidate.key));
  return [
    ...first,
    ...others.map(one => (one.score <= last ? one : { ...one, score: last, factor: last / one.score })),
  ];
};
