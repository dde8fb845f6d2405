import type { Query } from '../language/language.ts';
import type { ScopeStatistics } from '../recall/document.ts';
import calibration from './calibration.json' with { type: 'json' };
import { type Ranked, weightsOf } from './rank.ts';

/** What the shape of a ranking says of its worth, in the order of a row; the names are the keys of calibration.json. */
export const CONFIDENCE_FEATURES = [
  'topSum',
  'gapTo2',
  'gapTo5',
  'gapTo15',
  'entropy',
  'topCoverage',
  'topMaxSim',
  'topCosine',
  'bestBm25',
  'namesSpeaker',
  'speakerMargin',
  'speakerShare',
  'knownWords',
] as const;

const TOP = 15;

/** The row for one ranking; `all` has at least one element. */
export const confidenceFeatures = (
  query: Query,
  all: readonly Ranked[],
  statistics: ScopeStatistics,
): number[] => {
  // The first pass's order tells more of the query's worth than the second's: there AUROC is .02 higher.
  const ranked = [...all].sort((a, b) => b.firstSum - a.firstSum);
  const top = ranked.slice(0, TOP);
  const first = top[0]!;
  const at = (place: number) => (ranked[place] ?? ranked.at(-1)!).firstSum;
  const idf = Array.from(query.stems, stem => {
    const n = Math.min(statistics.turnsWith(stem), statistics.turns);
    return { n, idf: Math.log(1 + (statistics.turns - n + 0.5) / (n + 0.5)) };
  });
  const idfSum = idf.reduce((sum, word) => sum + word.idf, 0) || 1;
  const share = (value: (i: number) => number) =>
    idf.reduce((sum, word, i) => sum + word.idf * value(i), 0) / idfSum;
  const best = (of: (one: Ranked) => number, among: readonly Ranked[]) =>
    among.reduce((max, one) => Math.max(max, of(one)), 0);

  const exps = top.map(one => Math.exp(one.firstSum - first.firstSum));
  const total = exps.reduce((sum, x) => sum + x, 0);
  const entropy = exps.reduce((sum, x) => sum - (x / total) * Math.log(x / total), 0) / Math.log(TOP);
  const content = (one: Ranked) => one.match.bm25 + one.match.cosine;
  const named = ranked.filter(one => query.named.has(one.candidate.role));
  const others = ranked.filter(one => !query.named.has(one.candidate.role));
  const five = ranked.slice(0, 5);
  const names = query.named.size > 0 && others.length > 0 && named.length > 0 ? 1 : 0;
  return [
    first.firstSum,
    first.firstSum - at(1),
    first.firstSum - at(4),
    first.firstSum - at(14),
    entropy,
    best(one => share(i => (one.match.counts[i]! > 0 ? 1 : 0)), five),
    best(one => share(i => one.match.best[i]!), five),
    best(one => one.match.cosine, five),
    best(one => one.match.bm25, five),
    names,
    names ? best(content, named) - best(content, others) : 0,
    names ? five.filter(one => query.named.has(one.candidate.role)).length / five.length : 0,
    share(i => (idf[i]!.n > 0 ? 1 : 0)),
  ];
};

/**
 * The calibrated probability, 0 to 1, that the hits hold what the query asks for: a logistic regression whose fit,
 * data and reliability curve are in calibration.json. 0 without hits.
 *
 * @param ranked the whole ranking, not only the hits that are returned
 */
export const confidence = (
  query: Query,
  ranked: readonly Ranked[],
  statistics: ScopeStatistics,
  mode: 'active' | 'deep' = 'active',
): number => {
  if (ranked.length === 0) return 0;
  const { intercept } = calibration[mode];
  const weights = WEIGHTS[mode];
  const row = confidenceFeatures(query, ranked, statistics);
  const sum = row.reduce((total, value, i) => total + weights[i]! * value, intercept);
  return 1 / (1 + Math.exp(-sum));
};

const WEIGHTS = {
  active: weightsOf(CONFIDENCE_FEATURES, calibration.active.weights),
  deep: weightsOf(CONFIDENCE_FEATURES, calibration.deep.weights),
};
