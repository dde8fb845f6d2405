/**
 * Vectors of embedding models as they are kept: one signed byte a component. Only a vector's direction is
 * meaningful.
 */

/** Components of a vector at most, so that one of a faulty server can't fill the log. */
const MOST_COMPONENTS = 8_192;
const LARGEST = 127;

/** Undefined where it is no vector of finite numbers, or has no direction. */
export const quantised = (values: unknown): Int8Array | undefined => {
  if (!Array.isArray(values) || values.length === 0 || values.length > MOST_COMPONENTS) return undefined;
  let largest = 0;
  for (const value of values) {
    if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
    largest = Math.max(largest, Math.abs(value));
  }
  if (largest === 0) return undefined;
  // Divided first: the largest numbers would overflow.
  return Int8Array.from(values, value => Math.round((value / largest) * LARGEST));
};

/**
 * The vectors of a turn as they are kept: the one in context, which is that of the first part where there is
 * no other, then its parts'.
 */
export const turnVectors = (inContext: Int8Array | undefined, parts: readonly Int8Array[]): Int8Array[] => {
  const first = inContext ?? parts[0];
  return first ? [first, ...parts] : [];
};

/** One after the other. */
export const joinedVectors = (vectors: readonly Int8Array[]): Uint8Array =>
  Buffer.concat(
    vectors.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
  );

/** The comparison of a query with a model's vectors of a turn. */
export interface TurnVectors {
  /** The query's cosine with the nearest part. */
  cosine: number;
  /** By which the turn is compared with those around it. */
  inContext: Int8Array;
}

/**
 * Compares a query with turns; undefined where their vectors are of another length than the query's, or there
 * are none.
 *
 * @returns a function of a turn's vectors as they are kept, one after the other
 */
export const comparedWith = (query: Int8Array): ((vectors: Uint8Array) => TurnVectors | undefined) => {
  const { length } = query;
  const norm = Math.sqrt(query.reduce((sum, value) => sum + value * value, 0));
  return vectors => {
    if (length === 0 || vectors.length < 2 * length || vectors.length % length !== 0) return undefined;
    const components = new Int8Array(vectors.buffer, vectors.byteOffset, vectors.length);
    let best = Number.NEGATIVE_INFINITY;
    for (let at = length; at < components.length; at += length)
      best = Math.max(best, alongOf(query, components, at));
    return best > Number.NEGATIVE_INFINITY
      ? { cosine: best / norm, inContext: components.subarray(0, length) }
      : undefined;
  };
};

/**
 * The dot product with the direction of the vector that begins there; the least for zeros. In integers, which
 * are faster.
 */
const alongOf = (query: Int8Array, components: Int8Array, at: number): number => {
  let dot = 0;
  let squares = 0;
  for (let i = 0; i < query.length; i++) {
    const component = components[at + i]!;
    dot = (dot + Math.imul(query[i]!, component)) | 0;
    squares = (squares + Math.imul(component, component)) | 0;
  }
  return squares > 0 ? dot / Math.sqrt(squares) : Number.NEGATIVE_INFINITY;
};
