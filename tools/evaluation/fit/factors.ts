/** A logistic regression on some of a row's columns. */
export interface Factor {
  intercept: number;
  /** One per column; 0 for the columns of other factors. */
  weights: number[];
}

export interface FactorsOptions {
  /** The columns of each factor; no column is in two. */
  columns: readonly (readonly number[])[];
  /** Whether a column's weight may be negative. */
  free: (column: number) => boolean;
  ridge: number;
  /** Weights that the ridge draws towards, instead of 0; the intercepts are nearly free. */
  prior?: readonly number[] | undefined;
  counts: readonly number[];
  /** A further factor of each row's probability. */
  given?: readonly number[] | undefined;
}

const STEPS = 1_000;
/**
 * Initial value of intercepts, to which they are weakly drawn: without names to tell apart, a factor would
 * grow without end.
 */
const [FIRST_INTERCEPT, INTERCEPT_RIDGE] = [2, 1e-4];

/**
 * Fits p = the product of logistic regressions: all of their conditions must be true. By maximum likelihood
 * with a ridge on standardised columns; Adam, full batch, a fixed number of steps, negative weights cut to 0
 * unless allowed: the same data gives the same factors.
 */
export const fitFactors = (
  rows: readonly (readonly number[])[],
  labels: readonly number[],
  { columns, free, ridge, prior, counts, given = rows.map(() => 1) }: FactorsOptions,
): Factor[] => {
  const width = rows[0]!.length;
  const total = counts.reduce((sum, count) => sum + count, 0);
  const mean = (of: (row: readonly number[]) => number) =>
    rows.reduce((sum, row, r) => sum + counts[r]! * of(row), 0) / total;
  const means = Array.from({ length: width }, (_, f) => mean(row => row[f]!));
  const scales = means.map((middle, f) => {
    const deviation = Math.sqrt(mean(row => (row[f]! - middle) ** 2));
    return deviation > 1e-9 ? 1 / deviation : 0;
  });
  const standard = rows.map(row => Float64Array.from(row, (value, f) => (value - means[f]!) * scales[f]!));
  const home = scales.map((scale, f) => (scale > 0 ? (prior?.[f] ?? 0) / scale : 0));

  // Parameters: the weights, then an intercept per factor.
  const size = width + columns.length;
  const all = Float64Array.from({ length: size }, (_, i) => home[i] ?? FIRST_INTERCEPT);
  const momentum = new Float64Array(size);
  const variance = new Float64Array(size);
  const gradient = new Float64Array(size);
  const parts = new Float64Array(columns.length);
  for (let step = 1; step <= STEPS; step++) {
    gradient.fill(0);
    for (let r = 0; r < standard.length; r++) {
      const row = standard[r]!;
      let p = given[r]!;
      for (let k = 0; k < columns.length; k++) {
        let sum = all[width + k]!;
        for (const f of columns[k]!) sum += all[f]! * row[f]!;
        parts[k] = 1 / (1 + Math.exp(-sum));
        p *= parts[k]!;
      }
      const slope = (counts[r]! * (p - labels[r]!)) / Math.max(1 - p, 1e-9) / total;
      for (let k = 0; k < columns.length; k++) {
        const g = slope * (1 - parts[k]!);
        gradient[width + k]! += g;
        for (const f of columns[k]!) gradient[f]! += g * row[f]!;
      }
    }
    const rate = step < STEPS * 0.6 ? 0.05 : 0.005;
    for (let i = 0; i < size; i++) {
      const isWeight = i < width;
      const drawn = isWeight ? ridge * (all[i]! - home[i]!) : INTERCEPT_RIDGE * (all[i]! - FIRST_INTERCEPT);
      const g = gradient[i]! + drawn;
      momentum[i] = 0.9 * momentum[i]! + 0.1 * g;
      variance[i] = 0.999 * variance[i]! + 0.001 * g * g;
      const unbiased = momentum[i]! / (1 - 0.9 ** step);
      all[i]! -= (rate * unbiased) / (Math.sqrt(variance[i]! / (1 - 0.999 ** step)) + 1e-8);
      if (isWeight && !free(i)) all[i] = Math.max(0, all[i]!);
    }
  }
  return columns.map((own, k) => {
    const isOwn = new Set(own);
    const weights = scales.map((scale, f) => (isOwn.has(f) ? all[f]! * scale : 0));
    const intercept = weights.reduce((sum, weight, f) => sum - weight * means[f]!, all[width + k]!);
    return { intercept, weights };
  });
};
