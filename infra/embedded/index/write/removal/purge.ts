import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import type { Checkpoints } from '../../file/checkpoints.ts';

const RETRY_MS = 50;
/**
 * How long erasures wait for readers; after that, truncation is retried in the background. Later erasures
 * don't wait again: an erasure of a user has a step in every partition, and one slow reader would delay each
 * of them.
 */
const PATIENCE_MS = 1_000;
const LATER_MS = 1_000;
/** The delay of the rewrite after the last of several erasures. */
const REWRITE_AFTER_MS = 250;
/** After a rewrite the next one waits this many times as long, since projection stops meanwhile. */
const REWRITE_REST = 20;
/** A larger file is not rewritten, since projection stops during the rewrite: about a second per 100 MB. */
const MOST_REWRITTEN = 256 * 1024 * 1024;
/** The multiple of the file's size that must be free on the disk for a rewrite. */
const REWRITE_ROOM = 3;
/** The name in `meta` that is set while the file may contain bytes of erased rows. */
const DUE = 'rewrite';
const SET_DUE = 'INSERT OR REPLACE INTO meta VALUES (?, ?)';

/**
 * Removes all bytes of deleted rows from the files. `secure_delete` overwrites a row in place, but pages that
 * were split or merged earlier may have copies in unused space, so the file is rewritten (VACUUM). The
 * write-ahead log contains old pages, so it is truncated, which is impossible while a reader uses an older
 * snapshot.
 */
export const makePurge = (database: DatabaseSync, { now: tryNow }: Pick<Checkpoints, 'now'>) => {
  const isDue = database.prepare('SELECT 1 FROM meta WHERE name = ?');
  const setDue = database.prepare(SET_DUE);
  const clearDue = database.prepare('DELETE FROM meta WHERE name = ?');
  let later: NodeJS.Timeout | undefined;
  let rewriting: NodeJS.Timeout | undefined;
  let nextRewriteAt = Number.NEGATIVE_INFINITY;

  const again = (): void => {
    clearTimeout(later);
    later = setTimeout(() => {
      later = undefined;
      try {
        if (!tryNow()) again();
      } catch {
        // The disk fails or is full: an error here would end the thread.
        again();
      }
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
    // A rewrite writes the file twice: to a temporary file and to the write-ahead log.
    const begun = performance.now();
    const size = bytes();
    if (size <= MOST_REWRITTEN) {
      const { bavail, bsize } = statfsSync(dirname(database.location()!));
      if (bavail * bsize < REWRITE_ROOM * size) throw new Error('no room to rewrite the file');
      database.exec('VACUUM');
    }
    clearDue.run(DUE);
    const ended = performance.now();
    nextRewriteAt = ended + REWRITE_REST * (ended - begun);
    if (!tryNow()) again();
  };
  const rewriteSoon = (): void => {
    clearTimeout(rewriting);
    const wait = Math.max(REWRITE_AFTER_MS, nextRewriteAt - performance.now());
    rewriting = setTimeout(() => {
      try {
        rewrite();
      } catch {
        // The disk may be full: return the space of the rewrite, and retry.
        again();
        rewriting = setTimeout(rewriteSoon, LATER_MS).unref();
      }
    }, wait).unref();
  };
  // An earlier process ended before the rewrite.
  if (isDue.get(DUE)) rewriteSoon();

  return {
    /**
     * Call it in the transaction of an erasure: if the process ends after that, the next one rewrites the
     * file.
     */
    due: (): void => void setDue.run(DUE, 'due'),
    /**
     * Resolves when the write-ahead log is empty, or when readers have prevented that for a second; the rest
     * is done in the background.
     */
    now: async (): Promise<void> => {
      rewriteSoon();
      const end = performance.now() + (later ? 0 : PATIENCE_MS);
      for (;;) {
        try {
          if (tryNow()) {
            clearTimeout(later);
            later = undefined;
            return;
          }
        } catch {
          // The disk fails or is full: the erasure itself is committed.
          break;
        }
        if (performance.now() >= end) break;
        await pause(RETRY_MS);
      }
      again();
    },
    stop: (): void => {
      clearTimeout(later);
      clearTimeout(rewriting);
    },
  };
};

/**
 * A purge of a file that is being built: nobody reads it, so the write-ahead log can be emptied at once, and
 * the projector that opens it next rewrites it.
 */
export const deferPurge = (
  database: DatabaseSync,
  { now: tryNow }: Pick<Checkpoints, 'now'>,
): ReturnType<typeof makePurge> => {
  const setDue = database.prepare(SET_DUE);
  return {
    due: () => void setDue.run(DUE, 'due'),
    now: async () => {
      try {
        tryNow();
      } catch {
        // The disk fails or is full: the erasure itself is committed.
      }
    },
    stop: () => {},
  };
};
