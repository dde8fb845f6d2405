import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { diskLeft, isLittle } from './disk-left.ts';
import { openPageSums, type PageSums } from './page-sums.ts';

/** The size from which the write-ahead log is checkpointed and returned to the disk. */
const MOST_WAL_BYTES = 64 * 1024 * 1024;
/** On a disk that fills up it is returned earlier: a checkpoint needs room for the pages that it moves. */
const MOST_OF_ROOM = 1 / 4;
/** The delay before the next truncation after a reader of an older snapshot prevented one. */
const AGAIN_AFTER_MS = 1_000;
/** Pages checked a second in the background: 4 MiB. */
const SCRUBBED = 512;
const SCRUB_EVERY_MS = 1_000;

export interface Checkpoints {
  /**
   * Moves the write-ahead log to the file and truncates it. Returns false at once while a reader prevents
   * that. Throws on a disk error.
   */
  now(): boolean;
  /**
   * Call it before each transaction. Throws if the disk has so little room that the write-ahead log must be
   * returned first, and a reader prevents that.
   */
  makeRoom(): void;
  /** Call it after each commit and each rollback, which also leaves its pages in the write-ahead log. */
  due(): void;
  /** Checkpoints for the last time; `now` and `due` must not be called any more. */
  close(): void;
}

const WAL_HEADER = 32;
const FRAME_HEADER = 24;
const MOST_PAGE_BYTES = 65_536;
/** Frames per read: half a megabyte. To skip the pages between the headers would take a call for each. */
const FRAMES_AT_ONCE = 64;

/** Returns the pages in a write-ahead log: https://sqlite.org/fileformat2.html#the_write_ahead_log */
const pagesInWal = (wal: string): number[] => {
  let file: number;
  try {
    file = openSync(wal, 'r');
  } catch {
    return [];
  }
  try {
    const header = Buffer.alloc(WAL_HEADER);
    if (readSync(file, header, 0, WAL_HEADER, 0) < WAL_HEADER) return [];
    const pageBytes = header.readUInt32BE(8);
    // SQLite has no larger pages: a damaged header must not make us allocate more.
    if (pageBytes > MOST_PAGE_BYTES) return [];
    const frameBytes = FRAME_HEADER + pageBytes;
    const salts = header.subarray(16, 24);
    const pages = new Set<number>();
    const frames = Buffer.alloc(FRAMES_AT_ONCE * frameBytes);
    for (let at = WAL_HEADER; ; ) {
      const bytes = readSync(file, frames, 0, frames.length, at);
      for (let frame = 0; frame + FRAME_HEADER <= bytes; frame += frameBytes) {
        // The rest is left from before the last reset.
        if (salts.compare(frames, frame + 8, frame + 16) !== 0) return [...pages];
        pages.add(frames.readUInt32BE(frame));
      }
      if (bytes < frames.length) return [...pages];
      at += bytes;
    }
  } finally {
    closeSync(file);
  }
};

/**
 * Makes the checkpoints of the file's only writer, instead of SQLite's own: the checksums of the pages change
 * with them. `onDamage` is called if the background check finds a page that differs from the written one.
 */
export const openCheckpoints = (
  database: DatabaseSync,
  onDamage: (page: number) => void = () => {},
  mostWalBytes = MOST_WAL_BYTES,
  /** Returns the free bytes of the disk. */
  freeBytes = () => diskLeft(database.location()!),
  /** Whether pages are checked in the background: not where another connection changes their sums. */
  scrubs = true,
): Checkpoints => {
  const path = database.location()!;
  const wal = `${path}-wal`;
  const sums: PageSums = openPageSums(path);
  const truncate = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
  let notBefore = 0;

  const now = (): boolean => {
    const pages = pagesInWal(wal);
    // A crash between the two leaves the sums unknown, not wrong.
    sums.forget(pages);
    // The connection's own timeout would block the thread.
    database.exec('PRAGMA busy_timeout = 0');
    try {
      return Number(truncate.get()!.busy) === 0;
    } finally {
      database.exec('PRAGMA busy_timeout = 5000');
      sums.learn(pages);
    }
  };

  const walBytes = (): number => statSync(wal, { throwIfNoEntry: false })?.size ?? 0;

  let next = 1;
  const scrub = (): void => {
    try {
      const { damaged, next: after } = sums.check(next, SCRUBBED);
      next = after;
      if (damaged === undefined) return;
      clearInterval(scrubbing);
      onDamage(damaged);
    } catch {
      // The disk fails: the page is read again later.
    }
  };
  const scrubbing = scrubs ? setInterval(scrub, SCRUB_EVERY_MS).unref() : undefined;

  return {
    now,
    makeRoom: () => {
      const bytes = walBytes();
      if (bytes === 0 || !isLittle(freeBytes())) return;
      if (!now()) throw new Error('the disk is nearly full, and a reader keeps the write-ahead log');
    },
    due: () => {
      if (performance.now() < notBefore) return;
      const bytes = walBytes();
      const room = freeBytes();
      const most = isLittle(room) ? 1 : Math.min(mostWalBytes, MOST_OF_ROOM * room);
      if (bytes < most) return;
      notBefore = performance.now() + AGAIN_AFTER_MS;
      try {
        if (now()) notBefore = 0;
      } catch {
        // The last commit is complete: the disk fails or is full, and the write-ahead log waits.
      }
    },
    close: () => {
      clearInterval(scrubbing);
      try {
        now();
      } finally {
        // Pages that a reader keeps in the write-ahead log are checkpointed by SQLite when the file is
        // closed.
        sums.forget(pagesInWal(wal));
        sums.close();
      }
    },
  };
};
