import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * With less than this left, writers of a database take small steps and return its write-ahead log after each:
 * a commit that fills the disk could no longer be moved to the file, since there is no room for that either.
 */
const LITTLE_BYTES = 16 * 1024 * 1024;

/** Returns the bytes left on the disk of a database's file. */
export const diskLeft = (path: string): number => {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize;
  } catch {
    // If even this fails, the write itself fails.
    return Number.POSITIVE_INFINITY;
  }
};

export const isLittle = (bytes: number): boolean => bytes < LITTLE_BYTES;
