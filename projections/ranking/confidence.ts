import { DocumentFlag } from '../language/flags.ts';
import type { Query } from '../language/language.ts';
import type { ScopeStatistics } from '../recall/document.ts';
import calibration from './calibration.json' with { type: 'json' };
import { chatOf } from './chat.ts';
import { FEATURES } from './features.ts';
import { type Ranked, weightsOf } from './rank.ts';

/** Features of a whole ranking, in the order of a row; the names are the keys of calibration.json. */
export const CONFIDENCE_FEATURES = [
  'topSum',
  'gapTo5',
  'gapTo15',
  'focus',
  'topMaxSim',
  'knownWords',
  'namesSpeaker',
  'speakerShare',
  'contentShare',
  'oneSession',
  'topCoverage',
  'rarestWord',
  'topCosine',
  'asksForKind',
  'holdsKind',
] as const;

/** Features whose weight may be negative; all others can only increase the confidence. */
export const CONFIDENCE_FREE: ReadonlySet<string> = new Set(['namesSpeaker', 'oneSession', 'asksForKind']);

const TOP = 15;
/** Gaps are capped here: in tiny scopes the other hits are always far below the first. */
const WIDEST = 12;
/**
 * Share of the query's words that the best hits must contain (weighted by idf; a word counts as 1, a similar one as its
 * cosine) for the regression's result to be used unchanged. Below this share the result is scaled down towards 0, since
 * the fitted conversations have no such cases.
 */
const ENOUGH = 0.5;
/** Factor when the scope contains none of the query's words, only similar ones. */
const ONLY_NEAR = 0.5;

/** The row for one ranking; `all` has at least one element. */
export const confidenceFeatures = (
  query: Query,
  all: readonly Ranked[],
  statistics: ScopeStatistics,
): number[] => {
  // In the first pass's order, so that its sums mean the same in both modes.
  const ranked = [...all].sort((a, b) => b.firstSum - a.firstSum);
  const first = ranked[0]!;
  // A missing place counts as a turn with a sum of 0, so that gaps are defined for a scope of two turns.
  const at = (place: number) => ranked[place]?.firstSum ?? 0;
  const gap = (place: number) => Math.min(Math.max(first.firstSum - at(place), 0), WIDEST);
  const idf = Array.from(query.stems, stem => {
    const n = Math.min(statistics.turnsWith(stem), statistics.turns);
    return { n, idf: Math.log(1 + (statistics.turns - n + 0.5) / (n + 0.5)) };
  });
  const idfSum = idf.reduce((sum, word) => sum + word.idf, 0) || 1;
  const share = (value: (i: number) => number) =>
    idf.reduce((sum, word, i) => sum + word.idf * value(i), 0) / idfSum;
  const five = ranked.slice(0, 5);
  const bestOf = (value: (one: Ranked) => number) =>
    five.reduce((most, one) => Math.max(most, value(one)), 0);
  const rarest = idf.reduce((at, word, i) => (word.idf > idf[at]!.idf ? i : at), 0);
  const asked = kindsAsked(query);
  const shareOfFive = (holds: (one: Ranked) => boolean) => five.filter(holds).length / five.length;

  const shares = sharesOf(Array.from({ length: TOP }, (_, place) => at(place)));
  const entropy = shares.reduce((sum, p) => sum - (p > 0 ? p * Math.log(p) : 0), 0) / Math.log(TOP);
  const isNamed = ({ candidate }: Ranked) => query.named.has(candidate.role);
  const names = ranked.some(isNamed) && !ranked.every(isNamed);
  const ofAll = ranked.filter(isNamed).length / ranked.length;
  return [
    first.firstSum,
    gap(4),
    gap(14),
    1 - entropy,
    bestOf(({ match }) => share(i => match.best[i]!)),
    share(i => (idf[i]!.n > 0 ? 1 : 0)),
    names ? 1 : 0,
    names ? beyondChance(shareOfFive(isNamed), ofAll) : 0,
    names ? beyondChance(namedShare(ranked, isNamed), ofAll) : 0,
    shareOfFive(({ candidate }) => candidate.session === first.candidate.session),
    bestOf(({ match }) => share(i => (match.counts[i]! > 0 ? 1 : 0))),
    bestOf(({ match }) => match.best[rarest] ?? 0),
    bestOf(({ features }) => features[COSINE]!),
    asked ? 1 : 0,
    asked ? shareOfFive(({ candidate }) => (candidate.document.flags & asked) !== 0) : 0,
  ];
};

const COSINE = FEATURES.indexOf('cosine');

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
 * The calibrated probability, 0 to 1, that the hits contain what the query asks for: a logistic regression
 * whose fit, data and reliability curve are in calibration.json. 0 without hits.
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
    : confidenceOf(confidenceFeatures(query, ranked, statistics), MODELS[chatOf(statistics.speakers)][mode]);

/** The regression for one row, scaled down when the hits contain hardly any of the query's words. */
export const confidenceOf = (
  row: readonly number[],
  { intercept, weights }: { intercept: number; weights: ArrayLike<number> },
): number => {
  const sum = row.reduce((total, value, i) => total + weights[i]! * value, intercept);
  const believed = Math.min(1, row[SUPPORT]! / ENOUGH) * Math.min(1, ONLY_NEAR + row[KNOWN]!);
  return believed / (1 + Math.exp(-sum));
};

/** How often a fact that the rules extracted is right (docs/extraction.md). */
const FACTS_ARE_RIGHT = 0.82;

/**
 * The confidence where a fact that holds says just what is asked for ("I moved to Lyon", "Where does Ada live?"), which the
 * ranking can't see: the words of the question needn't be those of the turn.
 */
export const whereKnown = (confidence: number): number => Math.max(confidence, FACTS_ARE_RIGHT);

const SUPPORT = CONFIDENCE_FEATURES.indexOf('topMaxSim');
const KNOWN = CONFIDENCE_FEATURES.indexOf('knownWords');

const modelOf = ({ intercept, weights }: { intercept: number; weights: Record<string, number> }) => ({
  intercept,
  weights: weightsOf(CONFIDENCE_FEATURES, weights),
});
const MODELS = {
  people: { active: modelOf(calibration.people.active), deep: modelOf(calibration.people.deep) },
  assistant: { active: modelOf(calibration.assistant.active), deep: modelOf(calibration.assistant.deep) },
};
