import { ServiceError, unavailable } from '../../core/errors.ts';

/**
 * SQLite's primary result codes, https://sqlite.org/rescode.html, that a file, its disk or its locks cause.
 */
const OUTAGES = new Set([
  5, // BUSY
  6, // LOCKED
  8, // READONLY
  10, // IOERR
  13, // FULL
  14, // CANTOPEN
  15, // PROTOCOL
]);
const DAMAGE = new Set([
  11, // CORRUPT
  26, // NOTADB
]);

const primaryCode = (error: unknown): number | undefined => {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' ? errcode & 0xff : undefined;
};

/**
 * Returns whether the file can't be used right now: its disk fails or is full, or another process locks it.
 */
export const isOutage = (error: unknown): boolean => OUTAGES.has(primaryCode(error) ?? -1);

/** Returns whether another connection or process keeps the file locked: the connection itself is fine. */
export const isLocked = (error: unknown): boolean => [5, 6].includes(primaryCode(error) ?? -1);

/** Returns whether the file's content differs from SQLite's writes. */
export const isDamage = (error: unknown): boolean => DAMAGE.has(primaryCode(error) ?? -1);

/** Returns `unavailable` for an error of the file or its disk; any other error as it is. */
export const asUnavailable = (error: unknown): unknown => {
  if (error instanceof ServiceError) return error;
  if (isDamage(error)) return unavailable('A file of the data folder is damaged.', error, 5);
  return isOutage(error) ? unavailable("The data folder can't be used right now.", error) : error;
};

/** Runs `work`; an error of the file or its disk becomes `unavailable`. */
export const withOutages = <T>(work: () => T, onDamage?: (error: unknown) => void): T => {
  try {
    return work();
  } catch (error) {
    if (isDamage(error)) onDamage?.(error);
    throw asUnavailable(error);
  }
};
