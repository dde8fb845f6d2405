import type { CandidateQuery } from './candidate-query.ts';
import type { ScopeStatistics } from './document.ts';
import { firstPass, OUTSIDE } from './first-pass.ts';
import { countScope, type ScopeCounts } from './scope-counts.ts';
import type { Run, Searched } from './segments/run.ts';

export interface Chosen {
  number: number;
  session: number;
  timestamp: number;
  kind: number;
}

export interface Selection {
  chosen: Chosen[];
  /** Whether the whole window was chosen. */
  complete: boolean;
  statistics: Omit<ScopeStatistics, 'speakers'>;
}

/** Most candidates by each criterion; in a scope of at most `all` fragments every fragment is a candidate. */
export interface Limits {
  all: number;
  /** Candidates with the highest first-pass scores. */
  best: number;
  /**
   * Candidates with the highest scores by their own words alone, so that an exact word finds its turn in any
   * context.
   */
  words: number;
  /** Candidates with the nearest vectors. */
  vectors: number;
  /** Sum of the candidates' `Document.length`; their neighbours come on top. */
  length: number;
}

/**
 * Selects a few hundred fragments of a large scope. Half as many cost .7 points of recall@10
 * (docs/internals/measurements/recall.md). Their length is that of a thousand turns of 600 words; some
 * seventy of the longest texts have as much, and all of them would take a search 200 MB.
 */
export const LIMITS: Limits = { all: 1_000, best: 300, words: 16, vectors: 12, length: 600_000 };

/**
 * The number of candidates of a large scope that are ranked with their neighbours: the best by their own
 * scores. Reading four neighbours for each of the others would hardly ever change the hits
 * (docs/internals/measurements/recall.md).
 */
export const SHORTLIST = 80;

/**
 * Selects the fragments worth ranking, and counts the searched scope exactly. Cost: one pass over the scope's
 * numeric columns and the postings of the query's terms. Reads no document and no text.
 */
export const selectCandidates = (
  searched: readonly Searched[],
  query: CandidateQuery,
  limits: Limits,
): Selection => {
  const scope = countScope(searched, query);
  const size = searched.reduce((sum, { inside }) => sum + inside, 0);
  const complete = size <= limits.all && lengthInside(searched) <= limits.length;
  if (complete) return { chosen: everything(searched), complete, statistics: scope.statistics };

  return { chosen: chooseBest(searched, scope, query, limits), complete, statistics: scope.statistics };
};

const lengthInside = (searched: readonly Searched[]): number => {
  let sum = 0;
  for (const { run, mask } of searched)
    for (let i = 0; i < run.size; i++) if (mask[i] === 1) sum += run.lengths[i]!;
  return sum;
};

/** Chooses the best of the first pass. `counts` may cover more than `searched`. */
export const chooseBest = (
  searched: readonly Searched[],
  counts: ScopeCounts,
  query: CandidateQuery,
  limits: Omit<Limits, 'all'>,
): Chosen[] => {
  const { words, distances, sums } = firstPass(searched, counts, query);
  const leastSum = largest(sums, limits.best);
  const leastWords = largest(words, limits.words);
  const near = nearest(distances, limits.vectors);
  const chosen: Weighed[] = [];
  let index = 0;
  for (const { run } of searched) {
    for (let i = 0; i < run.size; i++, index++) {
      const isBest = sums[index]! > 0 && sums[index]! >= leastSum;
      const hasWords = words[index]! > 0 && words[index]! >= leastWords;
      const isNear = distances[index]! <= near;
      if (isBest || hasWords || isNear)
        chosen.push({
          one: chosenAt(run, i),
          isExact: hasWords || isNear,
          sum: sums[index]!,
          length: run.lengths[i]!,
        });
    }
  }
  return shortEnough(chosen, limits.length);
};

interface Weighed {
  one: Chosen;
  /** Chosen for its own words or vector. */
  isExact: boolean;
  sum: number;
  length: number;
}

/**
 * Takes the exact ones and then the best while their length stays within `most`, passes over what is too
 * long, and keeps the order; at least one.
 */
const shortEnough = (chosen: readonly Weighed[], most: number): Chosen[] => {
  const total = chosen.reduce((sum, { length }) => sum + length, 0);
  if (total <= most) return chosen.map(({ one }) => one);
  const bestFirst = [...chosen].sort(
    (a, b) => Number(b.isExact) - Number(a.isExact) || b.sum - a.sum || a.one.number - b.one.number,
  );
  const kept = new Set<Weighed>();
  let length = 0;
  for (const each of bestFirst) {
    if (kept.size > 0 && length + each.length > most) continue;
    kept.add(each);
    length += each.length;
  }
  return chosen.flatMap(each => (kept.has(each) ? each.one : []));
};

const chosenAt = (run: Run, i: number): Chosen => ({
  number: run.numbers[i]!,
  session: run.sessions[i]!,
  timestamp: run.timestamps[i]!,
  kind: run.kinds[i]!,
});

const everything = (searched: readonly Searched[]): Chosen[] => {
  const chosen: Chosen[] = [];
  for (const { run, mask } of searched) {
    for (let i = 0; i < run.size; i++) if (mask[i] === 1) chosen.push(chosenAt(run, i));
  }
  return chosen;
};

/** The k-th largest positive value, or 0 when there are fewer; with none asked for, more than any. */
const largest = (values: Float32Array, k: number): number => {
  if (k === 0) return Number.POSITIVE_INFINITY;
  // Keeps only values that are among the k largest so far: after the first k, few are.
  let kept = new Float32Array(2 * k);
  let count = 0;
  let least = 0;
  for (let i = 0; i < values.length; i++) {
    if (values[i]! <= least) continue;
    kept[count++] = values[i]!;
    if (count < kept.length) continue;
    kept = kept.sort().copyWithin(0, k);
    count = k;
    least = kept[0]!;
  }
  return count < k ? 0 : kept.subarray(0, count).sort()[count - k]!;
};

/**
 * The greatest distance within which there are at most k fragments; ties that would exceed k are all left
 * out.
 */
const nearest = (distances: Uint16Array, k: number): number => {
  const histogram = new Uint32Array(OUTSIDE + 1);
  for (let i = 0; i < distances.length; i++) histogram[distances[i]!]!++;
  let sum = 0;
  for (let value = 0; value < OUTSIDE; value++) {
    sum += histogram[value]!;
    if (sum > k) return value - 1;
  }
  return OUTSIDE - 1;
};
