/** 32-bit words of a signature. */
export const SIGNATURE_WORDS = 8;

/**
 * The signs of the vector's 256 components. Their Hamming distance approximates the angle (Charikar 2002).
 */
export const signature = (vector: Int8Array, into: Uint32Array, at: number): void => {
  for (let word = 0; word < SIGNATURE_WORDS; word++) {
    let bits = 0;
    for (let bit = 0; bit < 32; bit++) if (vector[word * 32 + bit]! > 0) bits |= 1 << bit;
    into[at + word] = bits >>> 0;
  }
};

const popcount = (bits: number): number => {
  let v = bits - ((bits >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return (((v + (v >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
};

/** Number of components with different signs, 0 to 256. */
export const distance = (a: Uint32Array, ai: number, b: Uint32Array, bi: number): number => {
  let sum = 0;
  for (let word = 0; word < SIGNATURE_WORDS; word++) sum += popcount(a[ai + word]! ^ b[bi + word]!);
  return sum;
};
