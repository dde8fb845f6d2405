import { dateMatch } from '../language/date-match.ts';
import { DocumentFlag } from '../language/flags.ts';
import type { Query } from '../language/language.ts';
import { bm25 } from '../recall/bm25.ts';
import type { Candidate, Document, ScopeStatistics } from '../recall/document.ts';
import { type Match, type Matcher, makeMatcher } from './match.ts';
import { type ScopeWeights, scopeWeights } from './scope-weights.ts';

/** The features, in the order of a row; the names are the keys of weights.json. */
export const FEATURES = [
  'bm25',
  'bm25Next',
  'bm25Previous2',
  'pairRelative',
  'session',
  'sessionBest',
  'coverage',
  'rareCoverage',
  'sameWords',
  'maxSim',
  'maxSimWindow',
  'maxSimWindowRelative',
  'cosine',
  'cosineRelative',
  'windowCosine',
  'windowCosineRelative',
  'speaker',
  'otherSpeaker',
  'question',
  'length',
  'temporal',
  'duration',
  'dateMonth',
  'dateDay',
  'dateMonthAfter',
  'number',
  'properName',
  'firstPerson',
  'answersQuestion',
] as const;

export type Feature = (typeof FEATURES)[number];
const AT = Object.fromEntries(FEATURES.map((name, i) => [name, i])) as Record<Feature, number>;

/** Rows of features, one a candidate, one after the other: candidates * FEATURES.length. */
export interface FeatureTable {
  rows: Float32Array;
  /** Match of each candidate and its text's cosine, for confidence. */
  matches: Match[];
  cosines: Float64Array;
  scope: ScopeWeights;
}

const PAIR_K1 = 1.2;
const PAIR_B = 0.75;
/** What a neighbour's word counts for in the window's MaxSim. */
const NEIGHBOUR_SHARE = 0.8;

/** A question in its scope: what ranking works out once, however many candidates it gets and in how many passes. */
export interface Prepared {
  query: Query;
  statistics: ScopeStatistics;
  scope: ScopeWeights;
  matcher: Matcher;
}

export const prepare = (query: Query, statistics: ScopeStatistics): Prepared => {
  const scope = scopeWeights(query, statistics);
  return { query, statistics, scope, matcher: makeMatcher(query, scope) };
};

/** All features of all candidates; those called relative need the whole set, the others would be the same alone. */
export const featureTable = (
  { query, statistics, scope, matcher }: Prepared,
  candidates: readonly Candidate[],
): FeatureTable => {
  const width = FEATURES.length;
  const rows = new Float32Array(candidates.length * width);
  const matches = candidates.map(({ document }) => matcher.match(document));
  const cosines = Float64Array.from(candidates, ({ document }) => matcher.cosine(document));
  const sessions = sessionScores(query, candidates, matches, statistics, scope);
  const q = query.stems.length;
  const { idf, idfSum, rareness } = scope;
  // Scratch, by query stem: occurrences in the pair, best cosine in the window.
  const pair = new Uint16Array(q);
  const window = new Float32Array(q);

  candidates.forEach((candidate, c) => {
    const own = matches[c]!;
    const row = rows.subarray(c * width, (c + 1) * width);
    const around = candidate.neighbours.map(neighbour =>
      neighbour ? matcher.match(neighbour.document) : undefined,
    );
    const [previous2, previous, next] = around;
    const previousCounts = previous?.counts;

    row[AT.bm25] = own.bm25;
    row[AT.bm25Next] = next?.bm25 ?? 0;
    row[AT.bm25Previous2] = previous2?.bm25 ?? 0;
    for (let i = 0; i < q; i++) pair[i] = own.counts[i]! + (previousCounts ? previousCounts[i]! : 0);
    const pairLength = own.length + (previous?.length ?? 0);
    row[AT.pairRelative] = bm25(pair, pairLength, 2 * scope.meanLength, idf, idfSum, PAIR_K1, PAIR_B);
    const session = sessions.get(candidate.session)!;
    row[AT.session] = session.bm25;
    row[AT.sessionBest] = session.best;

    for (let i = 0; i < q; i++) {
      window[i] = own.best[i]!;
    }
    for (const near of around) {
      if (!near) continue;
      for (let i = 0; i < q; i++) {
        const best = near.best[i]! * NEIGHBOUR_SHARE;
        if (best > window[i]!) window[i] = best;
      }
    }
    let coverage = 0;
    let rareCoverage = 0;
    let maxSim = 0;
    let maxSimWindow = 0;
    for (let i = 0; i < q; i++) {
      const weight = idf[i]!;
      if (own.counts[i]! > 0) {
        coverage += weight;
        rareCoverage += weight * rareness[i]!;
      }
      maxSim += weight * own.best[i]!;
      maxSimWindow += weight * window[i]!;
    }
    row[AT.coverage] = coverage / idfSum;
    row[AT.rareCoverage] = rareCoverage / idfSum;
    row[AT.sameWords] = holdsSameWords(query, candidate.document) ? 1 : 0;
    row[AT.maxSim] = maxSim / idfSum;
    row[AT.maxSimWindow] = maxSimWindow / idfSum;
    row[AT.cosine] = cosines[c]!;
    row[AT.windowCosine] = matcher.windowCosine(candidate.document, candidate.neighbours);
    placeFeatures(query, candidate, row, previous);
  });

  relative(rows, width, AT.pairRelative, AT.pairRelative);
  relative(rows, width, AT.maxSimWindow, AT.maxSimWindowRelative);
  relative(rows, width, AT.cosine, AT.cosineRelative);
  relative(rows, width, AT.windowCosine, AT.windowCosineRelative);
  return { rows, matches, cosines, scope };
};

/** Whether the query is the document's text, up to case, accents, inflection and the order of the words. */
const holdsSameWords = ({ text }: Query, { stems, length }: Document): boolean =>
  length > 0 &&
  length === text.length &&
  stems.length === text.stems.length &&
  stems.every((stem, i) => stem === text.stems[i]);

/** Who speaks, when, and what the text looks like beside what is asked. */
const placeFeatures = (
  query: Query,
  candidate: Candidate,
  row: Float32Array,
  previous: Match | undefined,
): void => {
  const { flags, length } = candidate.document;
  const { cues, named } = query;
  const has = (flag: number) => (flags & flag ? 1 : 0);
  if (named.size > 0) row[named.has(candidate.role) ? AT.speaker : AT.otherSpeaker] = 1;
  row[AT.question] = has(DocumentFlag.question);
  row[AT.length] = Math.log1p(length) / 5;
  row[AT.temporal] = cues.when ? has(DocumentFlag.time) : 0;
  row[AT.duration] = cues.howLong ? has(DocumentFlag.duration) : 0;
  row[AT.number] = cues.howMany ? has(DocumentFlag.number) : 0;
  row[AT.properName] = cues.name ? has(DocumentFlag.properName) : 0;
  row[AT.firstPerson] = has(DocumentFlag.firstPerson);
  const date = dateMatch(query.dates, candidate.timestamp);
  row[AT.dateMonth] = date.month;
  row[AT.dateDay] = date.day;
  row[AT.dateMonthAfter] = date.monthAfter;
  const before = candidate.neighbours[1];
  if (before && previous && before.role !== candidate.role && before.document.flags & DocumentFlag.question) {
    row[AT.answersQuestion] = previous.bm25;
  }
};

const sessionScores = (
  query: Query,
  candidates: readonly Candidate[],
  matches: readonly Match[],
  statistics: ScopeStatistics,
  scope: ScopeWeights,
): Map<number, { bm25: number; best: number }> => {
  const scores = new Map<number, { bm25: number; best: number }>();
  candidates.forEach((candidate, c) => {
    let score = scores.get(candidate.session);
    if (!score) {
      const { length, counts } = statistics.session(candidate.session);
      const { meanSessionLength, sessionIdf, sessionIdfSum } = scope;
      score = {
        bm25:
          query.stems.length === 0
            ? 0
            : bm25(counts, length, meanSessionLength, sessionIdf, sessionIdfSum, 0.9, 0.4),
        best: 0,
      };
      scores.set(candidate.session, score);
    }
    score.best = Math.max(score.best, matches[c]!.bm25);
  });
  return scores;
};

/** A feature min-maxed over the candidates: 1 for the best, 0 for the worst, 0 where all are the same. */
const relative = (rows: Float32Array, width: number, from: number, to: number): void => {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let at = from; at < rows.length; at += width) {
    low = Math.min(low, rows[at]!);
    high = Math.max(high, rows[at]!);
  }
  if (!(high > low)) return;
  for (let at = 0; at < rows.length; at += width) rows[at + to] = (rows[at + from]! - low) / (high - low);
};
