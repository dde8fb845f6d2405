import type { Candidate } from '../recall/document.ts';
import { centred, cosineAround, inverseNorm, weightedSum } from './centred-kernels.ts';
import common from './common-direction.json' with { type: 'json' };

/** Directions of texts beside one another, as unit vectors. */
export interface CentredSpace {
  /** Unit vector without the mean; the same array for the same vector. Zeros where nothing tells the text from the rest. */
  of(vector: Int8Array): Float32Array;
}

/** What is left of a vector that is the mean itself: rounding. */
const NOTHING = 1e-3;
/**
 * The mean of chats in general counts for as many texts: a handful of candidates has a poor mean of its own, and the
 * candidates of a large scope have in common what was asked for.
 */
const COMMON_WEIGHT = 50;
/** What the turns beside a turn, and those two away, count for in the direction of its window. */
const [NEXT_TO, TWO_AWAY] = [0.7, 0.4];

const COMMON = new Int8Array(Buffer.from(common.vector, 'base64'));

/**
 * Static vectors without what all texts of a set have in common. Texts of one kind of talk point much the same
 * way (the mean of unit vectors has length .6); what is left without the mean tells them apart (Mu and Viswanath 2018,
 * "All-but-the-Top"; here the mean alone).
 *
 * @param vectors int8, only their directions count; their order doesn't matter
 * @param dimensions length of a vector; those of another length count as zeros
 */
export const centredSpace = (vectors: readonly Int8Array[], dimensions: number): CentredSpace => {
  if (COMMON.length !== dimensions) throw new Error('the common direction is of another table');
  const known = vectors.filter(vector => vector.length === dimensions);
  // Scaled by whole numbers, so that the sum is exact and the order can't change it; all of them together stay
  // below 2 ** 30.
  const unit = 2 ** (Math.ceil(Math.log2(known.length + COMMON_WEIGHT)) - 30);
  const scales = Float64Array.from(known, vector => Math.round(inverseNorm(vector) / unit));
  const shared = Math.round((COMMON_WEIGHT * common.length * inverseNorm(COMMON)) / unit);
  const sum = weightedSum([COMMON, ...known], [shared, ...scales], dimensions);
  const mean = Float32Array.from(sum, value => (value * unit) / (COMMON_WEIGHT + known.length));

  const made = new Map<Int8Array, Float32Array>();
  return {
    of: vector => {
      const found = made.get(vector);
      if (found) return found;
      const scale = vector.length === dimensions ? inverseNorm(vector) : 0;
      const out = scale > 0 ? centred(vector, scale, mean) : new Float32Array(dimensions);
      made.set(vector, out);
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
  const around = neighbours.map(neighbour => neighbour && space.of(neighbour.document.vector));
  return cosineAround(space.of(document.vector), around, direction, NEXT_TO, TWO_AWAY);
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
