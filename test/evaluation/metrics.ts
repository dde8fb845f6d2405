/** Evidence recall and its kin for one question. `ranked`: for each place the evidence ids that it brings. */
export interface QuestionMetrics {
  recallAt5: number;
  recallAt10: number;
  recallAt15: number;
  recallAt25: number;
  recallAt30: number;
  allAt10: number;
  ndcgAt10: number;
}

export const METRICS = [
  'recallAt5',
  'recallAt10',
  'recallAt15',
  'recallAt25',
  'recallAt30',
  'allAt10',
  'ndcgAt10',
] as const;

/**
 * @param ranked one element a place: the turns (dia_ids) that the hit at this place is or names; empty for an entity
 * @param evidence at least one id
 */
export const questionMetrics = (
  ranked: readonly (readonly string[])[],
  evidence: readonly string[],
): QuestionMetrics => {
  const wanted = new Set(evidence);
  const recall = (k: number) => {
    const found = new Set(
      ranked
        .slice(0, k)
        .flat()
        .filter(id => wanted.has(id)),
    );
    return found.size / wanted.size;
  };
  const seen = new Set<string>();
  let gain = 0;
  ranked.slice(0, 10).forEach((ids, place) => {
    const fresh = ids.filter(id => wanted.has(id) && !seen.has(id));
    for (const id of fresh) seen.add(id);
    if (fresh.length > 0) gain += 1 / Math.log2(place + 2);
  });
  let ideal = 0;
  for (let place = 0; place < Math.min(10, wanted.size); place++) ideal += 1 / Math.log2(place + 2);
  return {
    recallAt5: recall(5),
    recallAt10: recall(10),
    recallAt15: recall(15),
    recallAt25: recall(25),
    recallAt30: recall(30),
    allAt10: recall(10) === 1 ? 1 : 0,
    ndcgAt10: gain / ideal,
  };
};

export const meanMetrics = (all: readonly QuestionMetrics[]): QuestionMetrics =>
  Object.fromEntries(
    METRICS.map(name => [
      name,
      all.reduce((sum, metrics) => sum + metrics[name], 0) / Math.max(1, all.length),
    ]),
  ) as unknown as QuestionMetrics;

/** Value at the share `p` of the sorted values (nearest rank). */
export const percentile = (values: readonly number[], p: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(p * sorted.length) - 1))] ?? Number.NaN;
};

/** Of the pairs of a positive and a negative, how many the probability puts in order (ties count half). */
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

/** The reliability curve: ten bins of equal width. */
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

/** Expected calibration error: the bins' gaps between confidence and truth, by their sizes. */
export const ece = (probabilities: readonly number[], labels: readonly number[]): number =>
  reliability(probabilities, labels).reduce(
    (sum, bin) =>
      sum + (bin.count / Math.max(1, probabilities.length)) * Math.abs(bin.meanConfidence - bin.share),
    0,
  );
