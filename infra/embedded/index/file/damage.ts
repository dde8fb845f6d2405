/** A damaged projections' file is never read again: it is set aside and rebuilt from the log. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { damagedPage } from './page-sums.ts';

/** The files of a generation beside the database itself; `-damaged` says that it must not be read again. */
export const SUFFIXES = ['', '-wal', '-shm', '-step', '-sums', '-damaged'];
const SET_ASIDE = /^projections-\d+\.db\.damaged-/;

export const isSetAside = (name: string): boolean => SET_ASIDE.test(name);

const marker = (path: string): string => `${path}-damaged`;

/**
 * Marks the file as damaged. A restart finds flipped bits by itself; the mark keeps faults that only a read
 * found.
 */
export const markDamaged = (path: string, reason: string): void => writeFileSync(marker(path), `${reason}\n`);

/** Reads all of a file that nobody has open, about a second per gigabyte. Returns its fault, if any. */
export const damageOf = (path: string): string | undefined => {
  if (!existsSync(path)) return undefined;
  if (existsSync(marker(path))) return readFileSync(marker(path), 'utf8').trim();
  const page = damagedPage(path);
  return page === undefined ? undefined : `page ${page} is not what was written`;
};

/** Removes the files that were set aside. */
export const removeSetAside = (folder: string): void => {
  for (const name of readdirSync(folder)) if (isSetAside(name)) rmSync(join(folder, name), { force: true });
};

/**
 * Renames the file to `<name>.damaged-<time>` for an investigation, and removes the files beside it. At most
 * one is kept.
 */
export const setAside = (path: string, now: Date): void => {
  const folder = dirname(path);
  removeSetAside(folder);
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  if (existsSync(path)) renameSync(path, join(folder, `${basename(path)}.damaged-${time}`));
  for (const suffix of SUFFIXES) rmSync(path + suffix, { force: true });
};
