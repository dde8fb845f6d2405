/**
 * Checksums of a projections' file, page by page, in a file beside it: SQLite has none, so a flipped bit
 * would go unnoticed. Only a checkpoint writes to the file itself (other writes go to the write-ahead log,
 * which has checksums), so only checkpoints change the sums: see checkpoints.ts.
 *
 * Format: a little-endian u32 for each page, the page's CRC-32; 0: unknown.
 */
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';
import { PAGE_BYTES } from './projections-database.ts';

const SUM_BYTES = 4;
const UNKNOWN = 0;
/** Pages read at once: a megabyte. */
const AT_ONCE = 128;

const sumsPath = (path: string): string => `${path}-sums`;

export interface PageSums {
  /**
   * Reads up to `count` pages from page number `from` (the first is 1). `damaged`: the number of a page that
   * differs from the written one; `next`: the start of the next call, 1 after the last page. Pages with
   * unknown sums count as undamaged.
   */
  check(from: number, count: number): { damaged: number | undefined; next: number };
  /** Durably marks pages as unknown before they are written. */
  forget(pages: readonly number[]): void;
  /** Stores the sums of pages as they are in the file. */
  learn(pages: readonly number[]): void;
  close(): void;
}

const sumOf = (page: Uint8Array): number => crc32(page) || 1;

/** Returns runs of consecutive pages, each of which one call reads or writes. */
const runsOf = (pages: readonly number[]): { first: number; count: number }[] => {
  const runs: { first: number; count: number }[] = [];
  for (const page of Uint32Array.from(pages).sort()) {
    const last = runs.at(-1);
    if (last && page <= last.first + last.count) last.count = page - last.first + 1;
    else runs.push({ first: page, count: 1 });
  }
  return runs;
};

/** Opens the sums of an existing file. */
export const openPageSums = (path: string): PageSums => {
  const file = openSync(path, 'r');
  let stored: number;
  try {
    stored = openSync(sumsPath(path), existsSync(sumsPath(path)) ? 'r+' : 'w+', 0o600);
  } catch (error) {
    closeSync(file);
    throw error;
  }
  const bytes = readFileSync(stored);
  let sums = new Uint32Array(
    bytes.buffer.slice(
      bytes.byteOffset,
      bytes.byteOffset + bytes.byteLength - (bytes.byteLength % SUM_BYTES),
    ),
  );
  const buffer = Buffer.alloc(AT_ONCE * PAGE_BYTES);

  const set = (page: number, sum: number): void => {
    if (page > sums.length) {
      const longer = new Uint32Array(Math.max(2 * sums.length, page, 1_024));
      longer.set(sums);
      sums = longer;
    }
    sums[page - 1] = sum;
  };
  /** Writes the sums of some pages, one call per run. */
  const store = (pages: readonly number[]): void => {
    for (const { first, count } of runsOf(pages)) {
      const run = Buffer.from(sums.buffer, (first - 1) * SUM_BYTES, count * SUM_BYTES);
      writeSync(stored, run, 0, run.length, (first - 1) * SUM_BYTES);
    }
  };
  /** Stores the sums of a run of pages as they are in the file, which may end before them. */
  const learnRun = (first: number, count: number): void => {
    for (let done = 0; done < count; done += AT_ONCE) {
      const some = Math.min(AT_ONCE, count - done);
      const from = first + done;
      const read = readSync(file, buffer, 0, some * PAGE_BYTES, (from - 1) * PAGE_BYTES);
      for (let i = 0; i < some; i++) {
        const end = (i + 1) * PAGE_BYTES;
        set(from + i, end <= read ? sumOf(buffer.subarray(end - PAGE_BYTES, end)) : UNKNOWN);
      }
    }
  };

  return {
    check: (from, count) => {
      const last = Math.floor(fstatSync(file).size / PAGE_BYTES);
      const to = Math.min(from + count - 1, last);
      const learned: number[] = [];
      for (let page = from; page <= to; page += AT_ONCE) {
        const length = Math.min(AT_ONCE, to - page + 1) * PAGE_BYTES;
        const read = readSync(file, buffer, 0, length, (page - 1) * PAGE_BYTES);
        for (let at = 0; at + PAGE_BYTES <= read; at += PAGE_BYTES) {
          const number = page + at / PAGE_BYTES;
          const sum = sumOf(buffer.subarray(at, at + PAGE_BYTES));
          const known = sums[number - 1] ?? UNKNOWN;
          if (known !== UNKNOWN && known !== sum) return { damaged: number, next: number };
          if (known === UNKNOWN) {
            set(number, sum);
            learned.push(number);
          }
        }
      }
      store(learned);
      return { damaged: undefined, next: to >= last ? 1 : to + 1 };
    },
    forget: pages => {
      for (const page of pages) set(page, UNKNOWN);
      store(pages);
      fdatasyncSync(stored);
    },
    learn: pages => {
      for (const { first, count } of runsOf(pages)) learnRun(first, count);
      store(pages);
    },
    close: () => {
      closeSync(file);
      closeSync(stored);
    },
  };
};

/** Reads a whole file that nobody has open. Returns the number of a damaged page, if there is one. */
export const damagedPage = (path: string): number | undefined => {
  // A file restored without its sums: its first projector learns them.
  if (!existsSync(sumsPath(path))) return undefined;
  const sums = openPageSums(path);
  try {
    return sums.check(1, Number.MAX_SAFE_INTEGER).damaged;
  } finally {
    sums.close();
  }
};
