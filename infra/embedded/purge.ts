import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';

const RETRY_MS = 50;
/** Whoever erases waits so long for readers; after that it is tried again beside them. */
const PATIENCE_MS = 1_000;
const LATER_MS = 1_000;

/**
 * Empties the write-ahead log, which holds pages as they were: what was deleted is overwritten in the file itself
 * (`secure_delete`). It can't be emptied while somebody reads an older state.
 */
export const makePurge = (database: DatabaseSync) => {
  let later: NodeJS.Timeout | undefined;
  /** False while a reader holds it. */
  const tryNow = (): boolean => {
    // The connection's own patience would hold the thread.
    database.exec('PRAGMA busy_timeout = 0');
    try {
      return Number(database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()!.busy) === 0;
    } finally {
      database.exec('PRAGMA busy_timeout = 5000');
    }
  };
  const again = (): void => {
    clearTimeout(later);
    later = setTimeout(() => {
      if (!tryNow()) again();
    }, LATER_MS).unref();
  };
  return {
    /** Resolves when it is empty, or when readers held it for a second: then it goes on trying. */
    now: async (): Promise<void> => {
      for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await pause(RETRY_MS)) {
        if (tryNow()) return;
      }
      again();
    },
    stop: (): void => clearTimeout(later),
  };
};
