/** Places of the ranking at which evidence is counted. */
export const DEPTHS = [5, 10, 15, 25, 30] as const;
type Depth = (typeof DEPTHS)[number];

export type Metric = `recallAt${Depth}` | `allAt${Depth}` | 'ndcgAt10';

/**
 * Metrics of one question, each from 0 to 1. `recallAt10`: the share of its evidence turns among the first
 * ten hits; `allAt10`: 1 if all of them are; `ndcgAt10`: the higher they stand, the better (Järvelin &
 * Kekäläinen 2002, gain 1 or 0).
 */
export type QuestionMetrics = Record<Metric, number>;

export const METRICS: readonly Metric[] = [
  ...DEPTHS.map(depth => `recallAt${depth}` as const),
  ...DEPTHS.map(depth => `allAt${depth}` as const),
  'ndcgAt10',
];

const discounted = (place: number): number => 1 / Math.log2(place + 2);

/**
 * @param ranked one element per place: the turns (their ids) that the hit at this place is or names; empty
 * for an entity
 * @param evidence at least one id
 */
export const questionMetrics = (
  ranked: readonly (readonly string[])[],
  evidence: readonly string[],
): QuestionMetrics => {
  const wanted = new Set(evidence);
  const found = new Set<string>();
  /** Evidence found up to each place. */
  const foundAt: number[] = [];
  let gain = 0;
  for (const [place, ids] of ranked.entries()) {
    const before = found.size;
    for (const id of ids) if (wanted.has(id)) found.add(id);
    if (place < 10 && found.size > before) gain += discounted(place);
    foundAt.push(found.size);
  }
  let ideal = 0;
  for (let place = 0; place < Math.min(10, wanted.size); place++) ideal += discounted(place);
  const foundIn = (depth: number): number => foundAt[Math.min(depth, ranked.length) - 1] ?? 0;
  return Object.fromEntries([
    ...DEPTHS.map(depth => [`recallAt${depth}`, foundIn(depth) / wanted.size]),
    ...DEPTHS.map(depth => [`allAt${depth}`, foundIn(depth) === wanted.size ? 1 : 0]),
    ['ndcgAt10', gain / ideal],
  ]) as QuestionMetrics;
};

export const meanMetrics = (all: readonly QuestionMetrics[]): QuestionMetrics =>
  Object.fromEntries(
    METRICS.map(name => [
      name,
      all.reduce((sum, metrics) => sum + metrics[name], 0) / Math.max(1, all.length),
    ]),
  ) as QuestionMetrics;

/** Returns the value at the share `p` of the sorted values (nearest rank). */
export const percentile = (values: readonly number[], p: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(p * sorted.length) - 1))] ?? Number.NaN;
};

/** Returns the share of positive-negative pairs that the probability puts in order (ties count half). */
export const auroc = (probabilities: readonly number[], labels: readonly number[]): number => {
  const order = probabilities.map((_, i) => i).sort((a, b) => probabilities[a]! - probabilities[b]!);
  let rankSum = 0;
  let positives = 0;
  for (let i = 0; i < order.length; ) {
    let j = i;
    while (j < order.length && probabilities[order[j]!] === probabilities[order[i]!]) j++;
    const rank = (i + j + 1) / 2;
    for (; i < j; i++) {
      if (labels[order[i]!]) {
        rankSum += rank;
        positives++;
      }
    }
  }
  const negatives = order.length - positives;
  return positives && negatives
    ? (rankSum - (positives * (positives + 1)) / 2) / (positives * negatives)
    : Number.NaN;
};

export const brier = (probabilities: readonly number[], labels: readonly number[]): number =>
  probabilities.reduce((sum, p, i) => sum + (p - labels[i]!) ** 2, 0) / Math.max(1, probabilities.length);

export interface ReliabilityBin {
  from: number;
  count: number;
  meanConfidence: number;
  share: number;
}

/** Returns the reliability curve: ten bins of equal width. */
export const reliability = (probabilities: readonly number[], labels: readonly number[]): ReliabilityBin[] =>
  Array.from({ length: 10 }, (_, bin) => {
    const inside = probabilities
      .map((_, i) => i)
      .filter(i => Math.min(9, Math.floor(probabilities[i]! * 10)) === bin);
    const mean = (of: (i: number) => number) =>
      inside.reduce((sum, i) => sum + of(i), 0) / Math.max(1, inside.length);
    return {
      from: bin / 10,
      count: inside.length,
      meanConfidence: mean(i => probabilities[i]!),
      share: mean(i => labels[i]!),
    };
  });

/** Returns the expected calibration error: the bins' gaps between confidence and truth, by size. */
export const ece = (probabilities: readonly number[], labels: readonly number[]): number =>
  reliability(probabilities, labels).reduce(
    (sum, bin) =>
      sum + (bin.count / Math.max(1, probabilities.length)) * Math.abs(bin.meanConfidence - bin.share),
    0,
  );
