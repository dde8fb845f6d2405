import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { diskLeft, isLittle } from './disk-left.ts';
import { openPageSums, type PageSums } from './page-sums.ts';

/** The write-ahead log is checkpointed from this size, and given back to the disk. */
const MOST_WAL_BYTES = 64 * 1024 * 1024;
/** It is given back earlier on a disk that fills up: a checkpoint needs room for what it moves. */
const MOST_OF_ROOM = 1 / 4;
/** A reader of an older snapshot prevents a truncation: how long until the next attempt. */
const AGAIN_AFTER_MS = 1_000;
/** Pages checked a second in the background: 4 MiB. */
const SCRUBBED = 512;
const SCRUB_EVERY_MS = 1_000;

export interface Checkpoints {
  /**
   * Moves what the write-ahead log holds to the file, and truncates it. False while a reader prevents that, at once. Throws
   * on an error of the disk.
   */
  now(): boolean;
  /**
   * Call it before each transaction. Throws when the disk has so little room that the write-ahead log has to be given back
   * first, and a reader prevents that.
   */
  makeRoom(): void;
  /** Call it after each commit and each rollback, which leaves what it wrote in the write-ahead log. */
  due(): void;
  /** Checkpoints for the last time; `now` and `due` must not be called any more. */
  close(): void;
}

const WAL_HEADER = 32;
const FRAME_HEADER = 24;
const MOST_PAGE_BYTES = 65_536;
/** Read in one call: half a megabyte. To skip the pages between the headers would take a call for each. */
const FRAMES_AT_ONCE = 64;

/** The pages in a write-ahead log: https://sqlite.org/fileformat2.html#the_write_ahead_log */
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
    // No file of SQLite has larger pages: what follows would be read into whatever a damaged header says.
    if (pageBytes > MOST_PAGE_BYTES) return [];
    const frameBytes = FRAME_HEADER + pageBytes;
    const salts = header.subarray(16, 24);
    const pages = new Set<number>();
    const frames = Buffer.alloc(FRAMES_AT_ONCE * frameBytes);
    for (let at = WAL_HEADER; ; ) {
      const bytes = readSync(file, frames, 0, frames.length, at);
      for (let frame = 0; frame + FRAME_HEADER <= bytes; frame += frameBytes) {
        // What follows is left from before the last reset.
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
 * The checkpoints of the file's only writer, instead of SQLite's own: the sums of its pages change with them. `onDamage` is
 * called when the background check finds a page that is not what was written.
 */
export const openCheckpoints = (
  database: DatabaseSync,
  onDamage: (page: number) => void = () => {},
  mostWalBytes = MOST_WAL_BYTES,
  /** Of the disk. */
  freeBytes = () => diskLeft(database.location()!),
): Checkpoints => {
  const path = database.location()!;
  const wal = `${path}-wal`;
  const sums: PageSums = openPageSums(path);
  const truncate = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
  let notBefore = 0;

  const now = (): boolean => {
    const pages = pagesInWal(wal);
    // A crash between the two leaves them unknown, not wrong.
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
      // The disk fails: it is read again later.
    }
  };
  const scrubbing = setInterval(scrub, SCRUB_EVERY_MS).unref();

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
        // The commit before it is whole: the disk fails or is full, and the write-ahead log waits.
      }
    },
    close: () => {
      clearInterval(scrubbing);
      try {
        now();
      } finally {
        // What a reader keeps in the write-ahead log is checkpointed when the file is closed, without us.
        sums.forget(pagesInWal(wal));
        sums.close();
      }
    },
  };
};
