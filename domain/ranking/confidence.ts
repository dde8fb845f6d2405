import type { Query } from '../language/language.ts';
import { DocumentFlag } from '../language/words/flags.ts';
import { inverseFrequency } from '../search/bm25.ts';
import type { ScopeStatistics } from '../search/document.ts';
import calibration from './calibration.json' with { type: 'json' };
import { chatOf } from './features/chat-kind.ts';
import { FEATURES } from './features/feature-names.ts';
import { type Ranked, weightsOf } from './rank.ts';

/** Kinds of scopes by their speakers; each has its own calibration. */
export const CONFIDENCE_KINDS = ['pairs', 'groups', 'assistant'] as const;
export type ConfidenceKind = (typeof CONFIDENCE_KINDS)[number];

/**
 * Pairs and groups differ in what a name in the query means: in a pair it is the speaker who should have said
 * the answer, in a group it is just as often the person talked about.
 *
 * @param speakers the roles of the scope
 */
export const confidenceKindOf = (speakers: readonly string[]): ConfidenceKind => {
  if (chatOf(speakers) === 'assistant') return 'assistant';
  return speakers.length > 2 ? 'groups' : 'pairs';
};

/** Features of a whole ranking, in the order of a row; the names are the keys of calibration.json. */
export const CONFIDENCE_FEATURES = [
  'topSum',
  'gapTo15',
  'topMaxSim',
  'knownWords',
  'topCoverage',
  'rarestWord',
  'topCosine',
  'topCosineWindow',
  'asksForKind',
  'holdsKind',
  'namesSpeaker',
  'speakerShare',
  'contentShare',
] as const;

export type ConfidenceFeature = (typeof CONFIDENCE_FEATURES)[number];

/** Features whose weight may be negative; all others can only increase the confidence. */
export const CONFIDENCE_FREE: ReadonlySet<string> = new Set(['namesSpeaker', 'asksForKind']);

const TOP = 15;
/** Gaps are capped here: in tiny scopes the other hits are always far below the first. */
const WIDEST = 6;
/**
 * Rarity counts as if the scope had this many more turns, one of which contains the word: a scope of a few
 * turns doesn't show which words are rare.
 */
const OTHER_TURNS = 100;
/**
 * Shares are drawn towards one half as if by this many more turns: few turns don't show who should have said
 * the answer.
 */
const OTHER_SHARES = 5;

/** Returns the row for one ranking; `all` has at least one element. */
export const confidenceFeatures = (
  query: Query,
  all: readonly Ranked[],
  statistics: ScopeStatistics,
): number[] => {
  // Restores the first pass's order, so that its sums mean the same in both modes.
  const ranked = [...all].sort((a, b) => b.firstSum - a.firstSum);
  const first = ranked[0]!;
  // A missing place counts as a turn with a sum of 0, so that the gap is defined for a scope of two turns.
  const gap = first.firstSum - (ranked[TOP - 1]?.firstSum ?? 0);
  const words = Array.from(query.stems, stem => {
    const n = Math.min(statistics.turnsWith(stem), statistics.turns);
    return { n, weight: inverseFrequency(statistics.turns + OTHER_TURNS, n + 1) };
  });
  const weights = words.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const share = (value: (i: number) => number) =>
    words.reduce((sum, { weight }, i) => sum + weight * value(i), 0) / weights;
  const five = ranked.slice(0, 5);
  const bestOf = (value: (one: Ranked) => number) =>
    five.reduce((most, one) => Math.max(most, value(one)), 0);
  const rarest = words.reduce((at, { weight }, i) => (weight > words[at]!.weight ? i : at), 0);
  const asked = kindsAsked(query);
  const shareOfFive = (holds: (one: Ranked) => boolean) => five.filter(holds).length / five.length;

  const isNamed = ({ candidate }: Ranked) => query.named.has(candidate.role);
  const names = ranked.some(isNamed) && !ranked.every(isNamed);
  const ofAll = ranked.filter(isNamed).length / ranked.length;
  const named = (share: number) => (names ? cautious(beyondChance(share, ofAll), ranked.length) : 0);
  return [
    first.firstSum,
    Math.min(Math.max(gap, 0), WIDEST),
    bestOf(({ match }) => share(i => match.best[i]!)),
    share(i => (words[i]!.n > 0 ? 1 : 0)),
    bestOf(({ match }) => share(i => (match.counts[i]! > 0 ? 1 : 0))),
    bestOf(({ match }) => match.best[rarest] ?? 0),
    bestOf(({ features }) => features[COSINE]!),
    bestOf(({ features }) => features[COSINE_WINDOW]!),
    asked ? 1 : 0,
    asked ? shareOfFive(({ candidate }) => (candidate.document.flags & asked) !== 0) : 0,
    names ? 1 : 0,
    named(shareOfFive(isNamed)),
    named(namedShare(ranked, isNamed)),
  ];
};

const COSINE = FEATURES.indexOf('cosine');
const COSINE_WINDOW = FEATURES.indexOf('cosineWindow');

/**
 * Returns the flags of texts that hold the kind of answer the query asks for (time, number, name); 0 if it
 * names none.
 */
const kindsAsked = ({ cues }: Query): number =>
  (cues.when ? DocumentFlag.time : 0) |
  (cues.howMany ? DocumentFlag.number : 0) |
  (cues.howLong ? DocumentFlag.duration : 0) |
  (cues.name ? DocumentFlag.properName : 0);

/**
 * Scales a share to what it would be if the named speakers had said half of everything: in a meeting of six
 * each says less.
 */
const beyondChance = (share: number, ofAll: number): number => {
  const [mine, others] = [share / ofAll, (1 - share) / (1 - ofAll)];
  return mine / (mine + others);
};

const cautious = (share: number, turns: number): number =>
  (share * turns + 0.5 * OTHER_SHARES) / (turns + OTHER_SHARES);

/** Returns the softmax of the sums. */
const sharesOf = (sums: readonly number[]): number[] => {
  const best = Math.max(...sums);
  const exps = sums.map(sum => Math.exp(sum - best));
  const total = exps.reduce((sum, x) => sum + x, 0);
  return exps.map(x => x / total);
};

/**
 * Returns the share of the best-fitting turns, whoever said them, that come from a speaker named in the
 * query. If the other speaker said them, the question is about the wrong person and has no answer.
 */
const namedShare = (ranked: readonly Ranked[], isNamed: (one: Ranked) => boolean): number => {
  const top = [...ranked].sort((a, b) => b.contentSum - a.contentSum).slice(0, TOP);
  return sharesOf(top.map(({ contentSum }) => contentSum)).reduce(
    (sum, share, place) => (isNamed(top[place]!) ? sum + share : sum),
    0,
  );
};

/**
 * Returns the calibrated probability, 0 to 1, that the hits contain the answer; 0 without hits. It is the
 * product of several factors, each a logistic regression of one condition that must be true. Their fit, data
 * and reliability curve are in calibration.json.
 *
 * @param ranked the whole ranking, not only the hits that are returned
 */
export const confidence = (
  query: Query,
  ranked: readonly Ranked[],
  statistics: ScopeStatistics,
  mode: 'active' | 'deep' = 'active',
): number =>
  ranked.length === 0
    ? 0
    : confidenceOf(
        confidenceFeatures(query, ranked, statistics),
        MODELS[confidenceKindOf(statistics.speakers)][mode],
      );

/** A logistic regression on a row of features. */
export interface ConfidenceFactor {
  intercept: number;
  /** In the order of the features. */
  weights: ArrayLike<number>;
}

export const confidenceOf = (row: readonly number[], factors: readonly ConfidenceFactor[]): number =>
  factors.reduce((product, { intercept, weights }) => {
    const sum = row.reduce((total, value, i) => total + weights[i]! * value, intercept);
    return product / (1 + Math.exp(-sum));
  }, 1);

/** Share of the facts extracted by rules that are right (docs/internals/measurements/extraction.md). */
const FACTS_ARE_RIGHT = 0.82;

/**
 * Raises the confidence if a current fact answers the question ("I moved to Lyon", "Where does Ada live?").
 * The ranking can't see that, since question and turn may share no words.
 */
export const whereKnown = (confidence: number): number => Math.max(confidence, FACTS_ARE_RIGHT);

type Fitted = Record<string, { intercept: number; weights: Record<string, number> }>;
const factorsOf = (factors: Fitted): ConfidenceFactor[] =>
  Object.values(factors).map(({ intercept, weights }) => ({
    intercept,
    weights: weightsOf(CONFIDENCE_FEATURES, weights),
  }));
const MODELS = Object.fromEntries(
  CONFIDENCE_KINDS.map(kind => {
    const { active, deep } = calibration[kind];
    return [kind, { active: factorsOf(active.factors), deep: factorsOf(deep.factors) }];
  }),
) as Record<ConfidenceKind, Record<'active' | 'deep', ConfidenceFactor[]>>;
