import { DocumentFlag } from '../language/flags.ts';
import type { Query } from '../language/language.ts';
import { inverseFrequency } from '../recall/bm25.ts';
import type { ScopeStatistics } from '../recall/document.ts';
import calibration from './calibration.json' with { type: 'json' };
import { chatOf } from './chat.ts';
import { FEATURES } from './features.ts';
import { type Ranked, weightsOf } from './rank.ts';

/** Kinds of scopes by who speaks in them, each with a calibration of its own. */
export const CONFIDENCE_KINDS = ['pairs', 'groups', 'assistant'] as const;
export type ConfidenceKind = (typeof CONFIDENCE_KINDS)[number];

/**
 * Of two people the one who is named is the one who should have said it. In a group a name is as often that of the person who is talked
 * about.
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
 * A scope of a few turns doesn't tell which words are rare, so they are counted as if in so many turns more, in one of which the word
 * occurs.
 */
const OTHER_TURNS = 100;
/** Who said most of a few turns says little of who should have: shares are drawn to one half as by so many turns more. */
const OTHER_SHARES = 5;

/** The row for one ranking; `all` has at least one element. */
export const confidenceFeatures = (
  query: Query,
  all: readonly Ranked[],
  statistics: ScopeStatistics,
): number[] => {
  // In the first pass's order, so that its sums mean the same in both modes.
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

/** Flags of texts that hold what the query asks for: a time, a number, a name. 0: it doesn't say. */
const kindsAsked = ({ cues }: Query): number =>
  (cues.when ? DocumentFlag.time : 0) |
  (cues.howMany ? DocumentFlag.number : 0) |
  (cues.howLong ? DocumentFlag.duration : 0) |
  (cues.name ? DocumentFlag.properName : 0);

/** A share, as it would be if the named speakers had said half of all: in a meeting of six each has less. */
const beyondChance = (share: number, ofAll: number): number => {
  const [mine, others] = [share / ofAll, (1 - share) / (1 - ofAll)];
  return mine / (mine + others);
};

const cautious = (share: number, turns: number): number =>
  (share * turns + 0.5 * OTHER_SHARES) / (turns + OTHER_SHARES);

/** Softmax of the sums. */
const sharesOf = (sums: readonly number[]): number[] => {
  const best = Math.max(...sums);
  const exps = sums.map(sum => Math.exp(sum - best));
  const total = exps.reduce((sum, x) => sum + x, 0);
  return exps.map(x => x / total);
};

/**
 * The share of the best-fitting turns, whoever said them, that come from a speaker named in the query. When the other
 * speaker said them, the question is about the wrong person and has no answer.
 */
const namedShare = (ranked: readonly Ranked[], isNamed: (one: Ranked) => boolean): number => {
  const top = [...ranked].sort((a, b) => b.contentSum - a.contentSum).slice(0, TOP);
  return sharesOf(top.map(({ contentSum }) => contentSum)).reduce(
    (sum, share, place) => (isNamed(top[place]!) ? sum + share : sum),
    0,
  );
};

/**
 * The calibrated probability, 0 to 1, that the hits contain what the query asks for: of all that must be true for it, each by a
 * logistic regression, the product. Their fit, data and reliability curve are in calibration.json. 0 without hits.
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

/** A logistic regression on a row. */
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

/** How often a fact that the rules extracted is right (docs/internals/measurements/extraction.md). */
const FACTS_ARE_RIGHT = 0.82;

/**
 * The confidence where a fact that holds says just what is asked for ("I moved to Lyon", "Where does Ada live?"), which the
 * ranking can't see: the words of the question needn't be those of the turn.
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
