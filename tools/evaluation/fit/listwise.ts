/** One question for fitting: rows of features of its evidence and of the turns that come near it. */
export interface Group {
  /** rows * width, the evidence first. */
  rows: Float32Array;
  positives: number;
  /** Weight relative to other questions; default 1. */
  weight?: number;
}

export interface ListwiseOptions {
  ridge?: number;
  steps?: number;
  /** Weights that the ridge draws towards, instead of 0. */
  prior?: ArrayLike<number>;
  constraints?: Constraints;
}

/** Constraints on the weights, by the number of the feature. */
export interface Constraints {
  /** Never below this; -Infinity: free. */
  least: ArrayLike<number>;
  /** Sums of weights that must never be above another sum. */
  caps: readonly { of: readonly number[]; under: readonly number[] }[];
}

/**
 * Fits the weights of the linear sum by listwise logistic regression: each evidence turn against the turns
 * that are none (softmax cross-entropy, averaged over a question's evidence and then over questions by their
 * weights), with a ridge on standardised features; Adam, full batch, a fixed number of steps, each one
 * projected back on the constraints: the same data gives the same weights.
 */
export const fitListwise = (
  groups: readonly Group[],
  width: number,
  { ridge = 0.03, steps = 250, prior, constraints }: ListwiseOptions = {},
): Float64Array => {
  const scale = inverseDeviations(groups, width);
  const total = groups.reduce((sum, { weight = 1 }) => sum + weight, 0);
  const standard = groups.map(group => ({
    ...group,
    rows: group.rows.map((value, at) => value * scale[at % width]!),
  }));
  const home = scale.map((inverse, f) => (inverse > 0 ? (prior?.[f] ?? 0) / inverse : 0));
  const weights = home.slice();
  const momentum = new Float64Array(width);
  const variance = new Float64Array(width);
  for (let step = 1; step <= steps; step++) {
    const gradient = new Float64Array(width);
    for (const group of standard) addGradient(group, width, weights, gradient);
    const rate = step < steps * 0.6 ? 0.08 : 0.01;
    for (let f = 0; f < width; f++) {
      const g = gradient[f]! / total + ridge * (weights[f]! - home[f]!);
      momentum[f] = 0.9 * momentum[f]! + 0.1 * g;
      variance[f] = 0.999 * variance[f]! + 0.001 * g * g;
      const unbiased = momentum[f]! / (1 - 0.9 ** step);
      weights[f]! -= (rate * unbiased) / (Math.sqrt(variance[f]! / (1 - 0.999 ** step)) + 1e-8);
    }
    if (constraints) project(weights, scale, constraints);
  }
  return weights.map((weight, f) =>
    scale[f]! > 0 ? weight * scale[f]! : Math.max(0, constraints?.least[f] ?? 0),
  );
};

/** Projects standardised weights onto the constraints: to the nearest point for one cap, near it for more. */
const project = (weights: Float64Array, scale: Float64Array, { least, caps }: Constraints): void => {
  for (let round = 0; round < ROUNDS; round++) {
    for (const { of, under } of caps) {
      const sum = (features: readonly number[], value: (f: number) => number) =>
        features.reduce((total, f) => total + value(f), 0);
      const excess = sum(of, f => weights[f]! * scale[f]!) - sum(under, f => weights[f]! * scale[f]!);
      if (excess <= 0) continue;
      const share = excess / sum([...of, ...under], f => scale[f]! ** 2);
      for (const f of of) weights[f]! -= share * scale[f]!;
      for (const f of under) weights[f]! += share * scale[f]!;
    }
    for (let f = 0; f < weights.length; f++) {
      if (scale[f]! > 0) weights[f] = Math.max(weights[f]!, least[f]! / scale[f]!);
    }
  }
};

/** The bounds may break a cap again by a little; after this many rounds nothing is left of it. */
const ROUNDS = 8;

const inverseDeviations = (groups: readonly Group[], width: number): Float64Array => {
  const sum = new Float64Array(width);
  const squares = new Float64Array(width);
  let n = 0;
  for (const { rows } of groups) {
    for (let at = 0; at < rows.length; at += width) {
      n++;
      for (let f = 0; f < width; f++) {
        sum[f]! += rows[at + f]!;
        squares[f]! += rows[at + f]! ** 2;
      }
    }
  }
  return sum.map((total, f) => {
    const deviation = Math.sqrt(Math.max(0, squares[f]! / n - (total / n) ** 2));
    return deviation > 1e-6 ? 1 / deviation : 0;
  });
};

const addGradient = (
  { rows, positives, weight = 1 }: Group,
  width: number,
  weights: Float64Array,
  gradient: Float64Array,
): void => {
  const n = rows.length / width;
  const exps = new Float64Array(n);
  let highest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < n; i++) {
    const at = i * width;
    let sum = 0;
    for (let f = 0; f < width; f++) sum += weights[f]! * rows[at + f]!;
    exps[i] = sum;
    highest = Math.max(highest, sum);
  }
  let negatives = 0;
  for (let i = 0; i < n; i++) {
    exps[i] = Math.exp(exps[i]! - highest);
    if (i >= positives) negatives += exps[i]!;
  }
  // d loss / d sum: p - 1 for the evidence and p for the others, where each evidence turn meets the others
  // alone.
  let share = 0;
  for (let i = 0; i < positives; i++) share += 1 / (negatives + exps[i]!) / positives;
  for (let i = 0; i < n; i++) {
    const at = i * width;
    const p = i < positives ? (exps[i]! / (negatives + exps[i]!) - 1) / positives : exps[i]! * share;
    const d = p * weight;
    for (let f = 0; f < width; f++) gradient[f]! += d * rows[at + f]!;
  }
};
