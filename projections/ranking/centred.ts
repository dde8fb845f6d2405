import type { Candidate } from '../recall/document.ts';
import common from './common-direction.json' with { type: 'json' };

/** Directions of texts beside one another, as unit vectors. */
export interface CentredSpace {
  /** Unit vector without the mean; the same array for the same vector. Zeros where nothing tells the text from the rest. */
  of(vector: Int8Array): Float32Array;
}

/** What is left of a vector that is the mean itself: rounding. */
const NOTHING = 1e-3;
/** The mean of chats in general counts for as many texts: a handful of candidates has a poor mean of its own. */
const COMMON_WEIGHT = 10;
/** Means are summed as integers of this unit, so that the order of the texts can't change a bit of them. */
const UNIT = 2 ** 30;
/** What the turns at -2, -1, +1 and +2 count for in the direction of a window. */
const SHARES = [0.4, 0.7, 0.7, 0.4] as const;

const COMMON = new Int8Array(Buffer.from(common.vector, 'base64'));

/**
 * Static vectors without what all texts of a set have in common. Texts of one kind of talk point much the same
 * way (the mean of unit vectors has length .6); what is left without the mean tells them apart (Mu and Viswanath 2018,
 * "All-but-the-Top"; here the mean alone).
 *
 * @param vectors int8, only their directions count; their order doesn't matter
 * @param dimensions length of a vector, a multiple of 4; those of another length count as zeros
 */
export const centredSpace = (vectors: readonly Int8Array[], dimensions: number): CentredSpace => {
  const sum = new Float64Array(dimensions);
  const add = (vector: Int8Array, weight: number): void => {
    const scale = inverseNorm(vector, dimensions) * UNIT;
    if (scale > 0) for (let i = 0; i < dimensions; i++) sum[i]! += Math.round(weight * vector[i]! * scale);
  };
  add(COMMON, COMMON_WEIGHT * common.length);
  for (const vector of vectors) add(vector, 1);
  const mean = sum.map(value => value / UNIT / (COMMON_WEIGHT + vectors.length));

  const known = new Map<Int8Array, Float32Array>();
  return {
    of: vector => {
      const found = known.get(vector);
      if (found) return found;
      const out = new Float32Array(dimensions);
      const scale = inverseNorm(vector, dimensions);
      if (scale > 0) for (let i = 0; i < dimensions; i++) out[i] = vector[i]! * scale - mean[i]!;
      known.set(vector, unit(out));
      return out;
    },
  };
};

/** Cosine of a direction with a turn and the turns around it as one text; of an observation, with it alone. */
export const windowCosine = (
  space: CentredSpace,
  { document, neighbours }: Pick<Candidate, 'document' | 'neighbours'>,
  direction: Float32Array,
): number => {
  const sum = Float32Array.from(space.of(document.vector));
  SHARES.forEach((share, n) => {
    const neighbour = neighbours[n];
    if (neighbour) addTo(sum, space.of(neighbour.document.vector), share);
  });
  const norm = Math.sqrt(dot(sum, sum));
  return norm > NOTHING ? dot(sum, direction) / norm : 0;
};

/** Scales the vector in place to length 1, one of next to no length to zeros. */
export const unit = (vector: Float32Array): Float32Array => {
  const norm = Math.sqrt(dot(vector, vector));
  const scale = norm > NOTHING ? 1 / norm : 0;
  for (let i = 0; i < vector.length; i++) vector[i]! *= scale;
  return vector;
};

/** Adds `share` times a vector of the same length to `sum`. */
export const addTo = (sum: Float32Array, vector: Float32Array, share: number): void => {
  for (let i = 0; i < sum.length; i++) sum[i]! += vector[i]! * share;
};

/** Four sums, so that each addition need not wait for the one before; the length is a multiple of 4. */
export const dot = (a: Float32Array, b: Float32Array): number => {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  for (let i = 0; i < a.length; i += 4) {
    s0 += a[i]! * b[i]!;
    s1 += a[i + 1]! * b[i + 1]!;
    s2 += a[i + 2]! * b[i + 2]!;
    s3 += a[i + 3]! * b[i + 3]!;
  }
  return s0 + s1 + s2 + s3;
};

const inverseNorm = (vector: Int8Array, dimensions: number): number => {
  if (vector.length !== dimensions) return 0;
  let square = 0;
  for (let i = 0; i < dimensions; i++) square += vector[i]! * vector[i]!;
  return square > 0 ? 1 / Math.sqrt(square) : 0;
};
