import { hash } from 'node:crypto';

/** A set of ids, stored as 64-bit hashes: 16 to 32 bytes of memory per id, whatever its length. */
export interface IdSet {
  /**
   * Returns false when the set already has the id. Among ten million ids, the probability of a collision is
   * three in a million.
   */
  add(id: string): boolean;
}

const SMALLEST = 2 ** 10;

/** An open-addressing table of 32-bit pairs; (0, 0) is an empty slot. */
export const makeIdSet = (): IdSet => {
  let table = new Uint32Array(2 * SMALLEST);
  let size = 0;

  const put = (high: number, low: number): boolean => {
    const slots = table.length / 2;
    for (let at = low % slots; ; at = (at + 1) % slots) {
      const [h, l] = [table[2 * at]!, table[2 * at + 1]!];
      if (h === high && l === low) return false;
      if (h !== 0 || l !== 0) continue;
      table[2 * at] = high;
      table[2 * at + 1] = low;
      return true;
    }
  };

  return {
    add: id => {
      const digest = hash('sha256', id, 'buffer');
      if (!put(digest.readUInt32LE(0), digest.readUInt32LE(4) || 1)) return false;
      size++;
      if (size * 2 > table.length / 2) {
        const full = table;
        table = new Uint32Array(full.length * 2);
        for (let at = 0; at < full.length; at += 2)
          if (full[at] !== 0 || full[at + 1] !== 0) put(full[at]!, full[at + 1]!);
      }
      return true;
    },
  };
};
