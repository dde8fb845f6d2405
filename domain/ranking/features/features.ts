import type { Query } from '../../language/language.ts';
import { isAssistant } from '../../language/query/speakers.ts';
import { dateMatch } from '../../language/times/date-match.ts';
import { DocumentFlag } from '../../language/words/flags.ts';
import { bm25 } from '../../search/bm25.ts';
import { type Candidate, type Document, type ScopeStatistics, wholeOf } from '../../search/document.ts';
import { type CentredSpace, centredSpace, dot, windowCosine } from '../vectors/centred.ts';
import { type Chat, chatOf } from './chat-kind.ts';
import { AT, FEATURES } from './feature-names.ts';
import { type Match, type Matcher, makeMatcher } from './match.ts';
import type { ModelScores } from './model-features.ts';
import { type ScopeWeights, scopeWeights } from './scope-weights.ts';
import { sessionScores } from './session-scores.ts';

/** The features of all candidates. */
export interface FeatureTable {
  /** One row per candidate, concatenated: candidates * FEATURES.length. */
  rows: Float32Array;
  /** Match of each candidate, used for confidence. */
  matches: Match[];
}

const PAIR_K1 = 1.2;
const PAIR_B = 0.75;
/** Weight of a neighbour's words in the window's MaxSim. */
const NEIGHBOUR_SHARE = 0.8;

/** A query in its scope, computed once for all candidates and passes. */
export interface Prepared {
  query: Query;
  statistics: ScopeStatistics;
  chat: Chat;
  scope: ScopeWeights;
  matcher: Matcher;
  /** Directions of texts, with the component that all candidates share removed. */
  space: CentredSpace;
  /** The query's direction in that space. */
  direction: Float32Array;
  /** Scores of the candidates by an embedding model, if one was asked and answered. */
  models?: ModelScores | undefined;
}

/** @param candidates of the first pass; their common component, which distinguishes none, is removed */
export const prepare = (
  query: Query,
  statistics: ScopeStatistics,
  candidates: readonly Pick<Candidate, 'document'>[],
): Prepared => {
  const scope = scopeWeights(query, statistics);
  const vectors: Int8Array[] = [];
  for (const { document } of candidates)
    if (document.passages) vectors.push(...document.passages.map(({ vector }) => vector));
    else vectors.push(document.vector);
  const space = centredSpace(vectors, query.table.dimensions);
  const direction = space.of(query.vector);
  const chat = chatOf(statistics.speakers);
  return { query, statistics, chat, scope, matcher: makeMatcher(query, scope), space, direction };
};

/** Computes all features. Relative features and session features depend on the whole set of candidates. */
export const featureTable = (
  { query, statistics, chat, scope, matcher, space, direction }: Prepared,
  candidates: readonly Candidate[],
): FeatureTable => {
  const width = FEATURES.length;
  const rows = new Float32Array(candidates.length * width);
  const matches = candidates.map(({ document }) => matcher.match(document));
  const maxSims = Float64Array.from(matches, ({ best }) => weightedMean(best, scope));
  const sessions = sessionScores(query, candidates, matches, maxSims, statistics, scope);
  const q = query.stems.length;
  const { idf, idfSum, rareness } = scope;
  const assistants = new Set(statistics.speakers.filter(isAssistant));
  // Scratch arrays by query stem: occurrences in the pair, best cosine in the window.
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
    row[AT.sessionMaxSim] = session.maxSim;

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
    let exactCoverage = 0;
    let maxSimWindow = 0;
    for (let i = 0; i < q; i++) {
      const weight = idf[i]!;
      if (own.counts[i]! > 0) {
        coverage += weight;
        rareCoverage += weight * rareness[i]!;
        if (query.exact[i]) exactCoverage += weight * rareness[i]!;
      }
      maxSimWindow += weight * window[i]!;
    }
    row[AT.coverage] = coverage / idfSum;
    row[AT.rareCoverage] = rareCoverage / idfSum;
    row[AT.exactCoverage] = exactCoverage / idfSum;
    row[AT.sameWords] = holdsSameWords(query, wholeOf(candidate)) ? 1 : 0;
    row[AT.maxSim] = maxSims[c]!;
    row[AT.maxSimPrevious] = previous ? weightedMean(previous.best, scope) : 0;
    row[AT.maxSimWindow] = maxSimWindow / idfSum;
    row[AT.cosine] = dot(space.of(candidate.document.vector), direction);
    row[AT.cosineWindow] = windowCosine(space, candidate, direction);
    placeFeatures(query, candidate, row, assistants);
    if (chat === 'people' && isNamedLater(query, candidate)) row[AT.namedLater] = 1;
    if (previous && answers(candidate)) {
      row[AT.answersQuestion] = previous.bm25;
      row[AT.answersSimilarQuestion] = row[AT.maxSimPrevious]!;
    }
  });

  relative(rows, width, AT.pairRelative, AT.pairRelative);
  relative(rows, width, AT.maxSimWindow, AT.maxSimWindowRelative);
  relative(rows, width, AT.cosine, AT.cosineRelative);
  return { rows, matches };
};

/** Returns the mean over the query's stems, weighted by idf. */
const weightedMean = (values: ArrayLike<number>, { idf, idfSum }: ScopeWeights): number => {
  let sum = 0;
  for (let i = 0; i < idf.length; i++) sum += idf[i]! * values[i]!;
  return sum / idfSum;
};

/** Whether the query equals the document's text, ignoring case, accents, inflection and word order. */
const holdsSameWords = ({ text }: Query, { stems, length }: Document): boolean =>
  length > 0 &&
  length === text.length &&
  stems.length === text.stems.length &&
  stems.every((stem, i) => stem === text.stems[i]);

/** Fills in the features of speaker, time and the form of the text, depending on the query's cues. */
const placeFeatures = (
  query: Query,
  candidate: Candidate,
  row: Float32Array,
  assistants: ReadonlySet<string>,
): void => {
  const { flags, length } = candidate.document;
  const { cues, named } = query;
  const has = (flag: number) => (flags & flag ? 1 : 0);
  if (named.size > 0) row[named.has(candidate.role) ? AT.speaker : AT.otherSpeaker] = 1;
  // Assistants say much about everything; most of what is worth recalling about a user was said by the user.
  row[AT.assistant] = assistants.has(candidate.role) && !named.has(candidate.role) ? 1 : 0;
  row[AT.question] = has(DocumentFlag.question);
  row[AT.length] = Math.log1p(length) / 5;
  row[AT.temporal] = cues.when ? has(DocumentFlag.time) : 0;
  row[AT.duration] = cues.howLong ? has(DocumentFlag.duration) : 0;
  row[AT.number] = cues.howMany ? has(DocumentFlag.number) : 0;
  row[AT.properName] = cues.name ? has(DocumentFlag.properName) : 0;
  row[AT.firstPerson] = has(DocumentFlag.firstPerson);
  const wishes = cues.advice && !assistants.has(candidate.role);
  row[AT.standingWish] = wishes ? has(DocumentFlag.standingWish) : 0;
  row[AT.preference] = wishes ? has(DocumentFlag.preference) : 0;
  const date = dateMatch(query, candidate.timestamp);
  row[AT.dateMonth] = date.month;
  row[AT.dateDay] = date.day;
  row[AT.dateMonthAfter] = date.monthAfter;
  row[AT.askedTime] = date.askedTime;
  row[AT.opening] = opensSession(candidate) ? 1 : 0;
};

/** Whether the query names another speaker first: "What did Ada tell Ben?" asks for what Ada said. */
const isNamedLater = ({ named }: Query, { role }: Candidate): boolean => {
  const [first] = named;
  return role !== first && named.has(role);
};

/** Whether the preceding turn is another speaker's question. */
const answers = ({ role, neighbours: [, before] }: Candidate): boolean =>
  before !== undefined && before.role !== role && (before.document.flags & DocumentFlag.question) !== 0;

/** Whether others follow it and none precedes it (a large scope may lack neighbours): news comes first. */
const opensSession = ({ neighbours: [, before, after] }: Candidate): boolean =>
  !before && after !== undefined;

/** Scales a feature over the candidates from 0 (lowest) to 1 (highest); 0 for all if they are equal. */
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
