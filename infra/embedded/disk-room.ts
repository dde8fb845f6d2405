import { statfsSync } from 'node:fs';

/**
 * The disk is checked at most this often: in 200 ms a fast client wrote four of the six megabytes that stay
 * free.
 */
const EVERY_MS = 50;
/** A small disk keeps this share of itself instead of the whole reserve. */
const MOST_SHARE = 0.1;
const MIB = 1024 * 1024;

export interface DiskRoom {
  /**
   * Returns why no new data may be stored now; undefined while the disk has more than its reserve. `share`:
   * of the reserve that must be left instead.
   */
  shortage(share?: number): string | undefined;
  /** Returns the bytes that this process may still use, without the reserve. */
  free(): number;
  /** Rejects while there is a shortage. */
  probe(): Promise<string>;
}

/**
 * Tracks the room on the disk of a data folder. `reserve` bytes stay free, or a tenth of a small disk: the
 * last megabytes are for acknowledged data, that is its projections, and for erasures and bills.
 */
export const openDiskRoom = (folder: string, reserve: number): DiskRoom => {
  let askedAt = Number.NEGATIVE_INFINITY;
  let free = Number.POSITIVE_INFINITY;
  let kept = 0;
  const look = (): void => {
    const now = performance.now();
    if (now - askedAt < EVERY_MS) return;
    askedAt = now;
    try {
      const { bavail, blocks, bsize } = statfsSync(folder);
      free = bavail * bsize;
      kept = Math.min(reserve, blocks * bsize * MOST_SHARE);
    } catch {
      // If even this fails, the write itself fails.
    }
  };
  const shortage = (share = 1): string | undefined => {
    look();
    if (free >= share * kept) return undefined;
    return `the disk of the data folder has ${Math.floor(free / MIB)} MiB left, below its reserve of ${Math.floor(kept / MIB)} MiB`;
  };
  const left = (): number => {
    look();
    return Math.max(0, free - kept);
  };
  return {
    shortage,
    free: left,
    probe: async () => {
      const lacks = shortage();
      if (lacks !== undefined) throw new Error(lacks);
      return `${Math.floor(left() / MIB)} MiB free above its reserve`;
    },
  };
};
