import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * With less than this left, whoever writes a database takes small steps and gives its write-ahead log back after each: a
 * commit that fills the disk can't be moved to the file any more, for which there is no room either.
 */
const LITTLE_BYTES = 16 * 1024 * 1024;

/** Bytes left on the disk of a database's file. */
export const diskLeft = (path: string): number => {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize;
  } catch {
    // A disk that can't even be asked fails the write itself.
    return Number.POSITIVE_INFINITY;
  }
};

export const isLittle = (bytes: number): boolean => bytes < LITTLE_BYTES;
