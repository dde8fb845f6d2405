import { rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { makeTokenBuckets } from '../../../core/fairness/token-buckets.ts';
import type { RateLimiter } from '../../../core/ports.ts';
import { DAY_MS } from '../../../core/time.ts';
import { openPrivateDatabase } from '../private-database.ts';
import { isDamage } from '../sqlite-errors.ts';

/** Full buckets are removed after so many writes, and at the start. */
const PRUNED_EVERY = 1_000;
const PRUNE = 'DELETE FROM buckets WHERE full_at < ?';

/** The projector's thread writes its shares of a day to the same file. */
const OTHERS_WRITE_MS = 100;
const TABLE =
  'CREATE TABLE IF NOT EXISTS buckets (name TEXT PRIMARY KEY, full_at INTEGER NOT NULL) WITHOUT ROWID';

/** Opens the file and reads its buckets; without what a damaged one had: they are full then. */
const openFile = (path: string, now: number): { database: DatabaseSync; kept: [string, number][] } => {
  const open = () => {
    const database = openPrivateDatabase(path, { timeout: OTHERS_WRITE_MS });
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA journal_size_limit = 1048576; ${TABLE}`,
    );
    database.prepare(PRUNE).run(now);
    const rows = database.prepare('SELECT name, full_at FROM buckets').all();
    return { database, kept: rows.map((row): [string, number] => [String(row.name), Number(row.full_at)]) };
  };
  try {
    return open();
  } catch (error) {
    if (!isDamage(error)) throw error;
    for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true });
    return open();
  }
};

/**
 * Counts like core/fairness/token-buckets.ts. Buckets of a day are also kept in a file, which isn't synced:
 * it outlives the process, and what the machine's end takes from it is counted anew. They run by `clock`,
 * Unix milliseconds.
 */
export const openBudgetsFile = (path: string, clock: () => number): RateLimiter & { close(): void } => {
  const { database, kept } = openFile(path, clock() * 1_000);
  const prune = database.prepare(PRUNE);
  const put = database.prepare(
    'INSERT INTO buckets VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET full_at = ?2',
  );
  let writes = 0;
  const keep = (name: string, fullAt: number): void => {
    try {
      put.run(name, fullAt);
      if (++writes % PRUNED_EVERY === 0) prune.run(clock() * 1_000);
    } catch {
      // The disk is full or fails: this process still counts, and refuses nothing for it.
    }
  };
  const calls = makeTokenBuckets();
  const days = makeTokenBuckets(clock, { all: kept, keep });
  return {
    take: (name, rate, count) => (rate.perMs < DAY_MS ? calls : days).take(name, rate, count),
    close: () => database.close(),
  };
};
