/** Vectors of embedding models as they are kept: one signed byte a component. Only a vector's direction is meaningful. */

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

/** One after the other. */
export const joinedVectors = (vectors: readonly Int8Array[]): Uint8Array =>
  Buffer.concat(
    vectors.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
  );

/**
 * The best cosine of a query's vector with one of a turn's; undefined where these are of another length, or of none.
 *
 * @param vectors of the turn, one after the other
 */
export const bestCosine = (query: Int8Array, vectors: Uint8Array): number | undefined => {
  const { length } = query;
  if (length === 0 || vectors.length === 0 || vectors.length % length !== 0) return undefined;
  const components = new Int8Array(vectors.buffer, vectors.byteOffset, vectors.length);
  let best: number | undefined;
  for (let at = 0; at < components.length; at += length) {
    let dot = 0;
    let squares = 0;
    for (let i = 0; i < length; i++) {
      const component = components[at + i]!;
      dot += query[i]! * component;
      squares += component * component;
    }
    if (squares > 0) best = Math.max(best ?? Number.NEGATIVE_INFINITY, dot / Math.sqrt(squares));
  }
  return best === undefined ? undefined : best / norm(query);
};

const norm = (vector: Int8Array): number => Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
