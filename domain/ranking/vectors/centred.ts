import type { Candidate } from '../../search/document.ts';
import { centred, cosineAround, inverseNorm, weightedSum } from './centred-kernels.ts';
import common from './common-direction.json' with { type: 'json' };

/** Directions of texts relative to a set of texts, as unit vectors. */
export interface CentredSpace {
  /** Unit vector with the mean removed; the same array for the same vector. Zeros for the mean itself. */
  of(vector: Int8Array): Float32Array;
}

/** Smaller norms are rounding errors, left when the vector equals the mean. */
const NOTHING = 1e-3;
/**
 * The mean of chats in general counts as this many texts: a handful of candidates has an unreliable mean, and
 * the candidates of a large scope share the query's subject.
 */
const COMMON_WEIGHT = 50;
/** Weights in the direction of a turn's window: of the adjacent turns, and of those two away. */
const [NEXT_TO, TWO_AWAY] = [0.7, 0.4];

const COMMON = new Int8Array(Buffer.from(common.vector, 'base64'));

/**
 * Removes the common component of a set from its static vectors. Texts of one kind of conversation point in
 * similar directions (the mean of unit vectors has length .6); removing the mean leaves what distinguishes
 * them (Mu and Viswanath 2018, "All-but-the-Top"; here only the mean is removed).
 *
 * @param vectors int8; only their directions matter, not their order
 * @param dimensions length of a vector; vectors of another length count as zeros
 */
export const centredSpace = (vectors: readonly Int8Array[], dimensions: number): CentredSpace => {
  if (COMMON.length !== dimensions) throw new Error('the common direction is of another table');
  return spaceOf(vectors, dimensions, { vector: COMMON, length: common.length, weight: COMMON_WEIGHT });
};

/**
 * Like `centredSpace`, for vectors of a model whose common component is unknown.
 *
 * @param dimensions a multiple of 16, at most 8,192
 */
export const plainSpace = (vectors: readonly Int8Array[], dimensions: number): CentredSpace =>
  spaceOf(vectors, dimensions);

/** @param prior the mean to assume without any vector, and how many vectors it counts as */
const spaceOf = (
  vectors: readonly Int8Array[],
  dimensions: number,
  prior?: { vector: Int8Array; length: number; weight: number },
): CentredSpace => {
  const known = vectors.filter(vector => vector.length === dimensions);
  // Integer scales make the sum exact, so that it is independent of the order; their total stays below 2 **
  // 30.
  const total = Math.max(1, known.length + (prior?.weight ?? 0));
  const unit = 2 ** (Math.ceil(Math.log2(total)) - 30);
  const scales = Array.from(known, vector => Math.round(inverseNorm(vector) / unit));
  const shared = prior ? [Math.round((prior.weight * prior.length * inverseNorm(prior.vector)) / unit)] : [];
  const sum = weightedSum([...(prior ? [prior.vector] : []), ...known], [...shared, ...scales], dimensions);
  const mean = Float32Array.from(sum, value => (value * unit) / total);

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

/**
 * Returns the cosine of a direction with a turn and the turns around it as one text; an observation has no
 * such turns.
 */
export const windowCosine = (
  space: CentredSpace,
  { document, neighbours }: Pick<Candidate, 'document' | 'neighbours'>,
  direction: Float32Array,
): number =>
  cosineAround(
    space.of(document.vector),
    neighbours.map(neighbour => neighbour && space.of(neighbour.document.vector)),
    direction,
    NEXT_TO,
    TWO_AWAY,
  );

/**
 * Like `windowCosine`, for bare vectors.
 *
 * @param around vectors of the turns at -2, -1, +1, +2
 */
export const cosineWith = (
  space: CentredSpace,
  own: Int8Array,
  around: readonly (Int8Array | undefined)[],
  direction: Float32Array,
): number =>
  cosineAround(
    space.of(own),
    around.map(vector => vector && space.of(vector)),
    direction,
    NEXT_TO,
    TWO_AWAY,
  );

/** Scales the vector in place to length 1; to zeros when its length is close to zero. */
export const unit = (vector: Float32Array): Float32Array => {
  const norm = Math.sqrt(dot(vector, vector));
  const scale = norm > NOTHING ? 1 / norm : 0;
  for (let i = 0; i < vector.length; i++) vector[i]! *= scale;
  return vector;
};

/** Adds `share` times `vector`, of the same length, to `sum`. */
export const addTo = (sum: Float32Array, vector: Float32Array, share: number): void => {
  for (let i = 0; i < sum.length; i++) sum[i]! += vector[i]! * share;
};

/** Dot product with four sums, so that additions don't wait for each other; the length is a multiple of 4. */
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
