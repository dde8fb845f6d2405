/** A projections' file whose content is not what was written is never read again: it is set aside and rebuilt from the log. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { damagedPage } from './page-sums.ts';

/** The files of a generation beside the database itself; `-damaged` says that it must not be read again. */
export const SUFFIXES = ['', '-wal', '-shm', '-step', '-sums', '-damaged'];
const SET_ASIDE = /^projections-\d+\.db\.damaged-/;

export const isSetAside = (name: string): boolean => SET_ASIDE.test(name);

const marker = (path: string): string => `${path}-damaged`;

/** Remembers durably enough that the file is damaged: a restart finds flipped bits again, this is for what only a read found. */
export const markDamaged = (path: string, reason: string): void => writeFileSync(marker(path), `${reason}\n`);

/** Reads all of a file that nobody has open, about a second for a gigabyte. Returns what is wrong with it. */
export const damageOf = (path: string): string | undefined => {
  if (!existsSync(path)) return undefined;
  if (existsSync(marker(path))) return readFileSync(marker(path), 'utf8').trim();
  const page = damagedPage(path);
  return page === undefined ? undefined : `page ${page} is not what was written`;
};

/** Removes what was set aside. */
export const removeSetAside = (folder: string): void => {
  for (const name of readdirSync(folder)) if (isSetAside(name)) rmSync(join(folder, name), { force: true });
};

/**
 * Renames the file to `<name>.damaged-<time>` for whoever wants to know what happened, and removes what is beside it. At
 * most one is kept.
 */
export const setAside = (path: string, now: Date): void => {
  const folder = dirname(path);
  removeSetAside(folder);
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  if (existsSync(path)) renameSync(path, join(folder, `${basename(path)}.damaged-${time}`));
  for (const suffix of SUFFIXES) rmSync(path + suffix, { force: true });
};
