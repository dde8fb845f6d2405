/** A fitted logistic regression: p = 1 / (1 + exp(-(intercept + weights · row))). */
export interface Logistic {
  intercept: number;
  weights: number[];
}

/**
 * Fits a logistic regression with a ridge on standardised columns, by Newton's method. Each row has the same
 * length.
 */
export const fitLogistic = (
  rows: readonly (readonly number[])[],
  labels: readonly number[],
  { ridge = 0.01 }: { ridge?: number } = {},
): Logistic => {
  const width = rows[0]?.length ?? 0;
  const n = rows.length;
  const mean = (of: (row: readonly number[]) => number): number =>
    rows.reduce((sum, row) => sum + of(row), 0) / n;
  const means = Array.from({ length: width }, (_, f) => mean(row => row[f]!));
  const scales = means.map((middle, f) => {
    const deviation = Math.sqrt(mean(row => (row[f]! - middle) ** 2));
    return deviation > 1e-9 ? 1 / deviation : 0;
  });
  const standard = rows.map(row => [1, ...row.map((value, f) => (value - means[f]!) * scales[f]!)]);
  const size = width + 1;
  let weights = new Array<number>(size).fill(0);
  for (let step = 0; step < 30; step++) {
    const gradient = new Array<number>(size).fill(0);
    const hessian = Array.from({ length: size }, () => new Array<number>(size).fill(0));
    standard.forEach((row, r) => {
      const p = probability(row, weights);
      const curvature = Math.max(p * (1 - p), 1e-6);
      for (let i = 0; i < size; i++) {
        gradient[i]! += (p - labels[r]!) * row[i]!;
        for (let j = 0; j <= i; j++) hessian[i]![j]! += curvature * row[i]! * row[j]!;
      }
    });
    for (let i = 0; i < size; i++) {
      const penalty = i === 0 ? 1e-6 : ridge * n;
      gradient[i]! += penalty * weights[i]!;
      hessian[i]![i]! += penalty;
      for (let j = 0; j < i; j++) hessian[j]![i] = hessian[i]![j]!;
    }
    const change = solve(hessian, gradient);
    weights = weights.map((weight, i) => weight - change[i]!);
    if (Math.max(...change.map(Math.abs)) < 1e-8) break;
  }
  const unscaled = scales.map((scale, f) => weights[f + 1]! * scale);
  return {
    intercept: weights[0]! - unscaled.reduce((sum, weight, f) => sum + weight * means[f]!, 0),
    weights: unscaled,
  };
};

export const predict = ({ intercept, weights }: Logistic, row: readonly number[]): number =>
  1 / (1 + Math.exp(-weights.reduce((sum, weight, f) => sum + weight * row[f]!, intercept)));

const probability = (row: readonly number[], weights: readonly number[]): number =>
  1 / (1 + Math.exp(-row.reduce((sum, value, i) => sum + value * weights[i]!, 0)));

/** Solves linear equations by Gaussian elimination with pivots. */
const solve = (matrix: readonly (readonly number[])[], right: readonly number[]): number[] => {
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  const n = rows.length;
  for (let column = 0; column < n; column++) {
    let pivot = column;
    for (let r = column + 1; r < n; r++)
      if (Math.abs(rows[r]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = r;
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    for (let r = column + 1; r < n; r++) {
      const factor = rows[r]![column]! / rows[column]![column]!;
      for (let c = column; c <= n; c++) rows[r]![c]! -= factor * rows[column]![c]!;
    }
  }
  const solution = new Array<number>(n).fill(0);
  for (let r = n - 1; r >= 0; r--) {
    let sum = rows[r]![n]!;
    for (let c = r + 1; c < n; c++) sum -= rows[r]![c]! * solution[c]!;
    solution[r] = sum / rows[r]![r]!;
  }
  return solution;
};
