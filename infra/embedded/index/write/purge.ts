import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';

const RETRY_MS = 50;
/** Whoever erases waits so long for readers; after that it is tried again beside them. */
const PATIENCE_MS = 1_000;
const LATER_MS = 1_000;
/** After the last of several erasures. */
const REWRITE_AFTER_MS = 250;
/** A larger file is not rewritten: nothing is projected meanwhile, about a second for 100 MB. */
const MOST_REWRITTEN = 256 * 1024 * 1024;
/** In `meta`, while bytes of what was erased may be in the file. */
const DUE = 'rewrite';

/**
 * Lets nothing of what was deleted stay in the files. `secure_delete` overwrites it in its place; but pages that were
 * split or joined before may hold it a second time, where nothing looks any more, so the file is written anew. And the
 * write-ahead log holds pages as they were: it is emptied, which can't be done while somebody reads an older state.
 */
export const makePurge = (database: DatabaseSync) => {
  const isDue = database.prepare('SELECT 1 FROM meta WHERE name = ?');
  const setDue = database.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)');
  const clearDue = database.prepare('DELETE FROM meta WHERE name = ?');
  let later: NodeJS.Timeout | undefined;
  let rewriting: NodeJS.Timeout | undefined;

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

  const bytes = (): number => {
    const { size } = database
      .prepare('SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size')
      .get()!;
    return Number(size);
  };
  const rewrite = (): void => {
    clearTimeout(rewriting);
    rewriting = undefined;
    if (bytes() <= MOST_REWRITTEN) database.exec('VACUUM');
    clearDue.run(DUE);
    if (!tryNow()) again();
  };
  const rewriteSoon = (): void => {
    clearTimeout(rewriting);
    rewriting = setTimeout(() => {
      try {
        rewrite();
      } catch {
        // A full disk: until it is done it is not done.
        rewriting = setTimeout(rewriteSoon, LATER_MS).unref();
      }
    }, REWRITE_AFTER_MS).unref();
  };
  // An earlier process ended before it came to it.
  if (isDue.get(DUE)) rewriteSoon();

  return {
    /** In the transaction of an erasure: a process that ends behind it leaves the rest to the next one. */
    due: (): void => void setDue.run(DUE, 'due'),
    /** Resolves when the write-ahead log is empty, or when readers held it for a second; the rest follows at once. */
    now: async (): Promise<void> => {
      rewriteSoon();
      for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await pause(RETRY_MS)) {
        if (tryNow()) return;
      }
      again();
    },
    stop: (): void => {
      clearTimeout(later);
      clearTimeout(rewriting);
    },
  };
};
