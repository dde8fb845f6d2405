import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { GenerationFiles, GenerationNames } from '../../../../core/ports.ts';
import { damageOf, isSetAside, markDamaged, removeSetAside, SUFFIXES, setAside } from './damage.ts';
import { describeProjections } from './projections-database.ts';
import { PROJECTIONS_FORMAT, PROJECTIONS_VERSION } from './stored-projections.ts';

const MANIFEST = 'generations.json';
const FILE = /^projections-(\d+)\.db/;
const FIRST: GenerationNames = { last: 1, serving: 1, standby: null, building: null };

const isNumber = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;

const parsed = (text: string): GenerationNames => {
  try {
    const { last, serving, standby, building } = JSON.parse(text);
    const isWhole =
      isNumber(last) && isNumber(serving) && [standby, building].every(one => one === null || isNumber(one));
    if (isWhole) return { last, serving, standby, building };
  } catch {
    // Reported below, like any other text that is not a manifest.
  }
  throw new Error(
    `${MANIFEST} in the data folder can't be read: delete it with projections-*.db*, and the log builds them anew`,
  );
};

/** Replaces a file atomically and durably: after a crash it has either the old text or the new one. */
const replaceFile = (folder: string, name: string, text: string): void => {
  const path = join(folder, name);
  const beside = `${path}.new`;
  const file = openSync(beside, 'w', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(beside, path);
  const directory = openSync(folder, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
};

/** The suffixes of the files that hold data. */
const SIZED = ['', '-wal'];

/**
 * Opens the generations of the projections' file in a data folder that this process has locked:
 * `projections-<n>.db`, and a manifest with the purpose of each. Removes files that the manifest does not
 * name, which a crash left; a standby or building generation that this build can't write; and a serving
 * generation of another format, which is rebuilt from the log. Reads all files once and sets damaged ones
 * aside. Throws if the manifest is damaged.
 */
export const openGenerationFiles = (folder: string): GenerationFiles => {
  const path = (number: number): string => join(folder, `projections-${number}.db`);
  const remove = (number: number): void => {
    for (const suffix of SUFFIXES) rmSync(path(number) + suffix, { force: true });
  };
  const manifest = join(folder, MANIFEST);

  let names: GenerationNames = existsSync(manifest) ? parsed(readFileSync(manifest, 'utf8')) : FIRST;
  const about: GenerationFiles['about'] = number => {
    const found = existsSync(path(number)) ? describeProjections(path(number)) : undefined;
    return found?.format === PROJECTIONS_FORMAT ? found : undefined;
  };
  const isCurrent = (number: number): boolean => about(number)?.version === PROJECTIONS_VERSION;

  const damaged: { number: number; reason: string }[] = [];
  const files: GenerationFiles = {
    names: () => names,
    write: changes => {
      const next = { ...names, ...changes };
      replaceFile(folder, MANIFEST, `${JSON.stringify(next)}\n`);
      names = next;
    },
    path,
    about,
    bytes: number =>
      SIZED.reduce(
        (sum, suffix) => sum + (statSync(path(number) + suffix, { throwIfNoEntry: false })?.size ?? 0),
        0,
      ),
    remove,
    damaged,
    markDamaged: (number, reason) => markDamaged(path(number), reason),
    setAside: number => setAside(path(number), new Date()),
    removeSetAside: () => removeSetAside(folder),
    version: PROJECTIONS_VERSION,
  };

  for (const number of [names.building, names.standby, names.serving]) {
    const reason = number === null ? undefined : damageOf(path(number));
    if (reason === undefined) continue;
    damaged.push({ number: number!, reason });
    setAside(path(number!), new Date());
  }
  const { standby, building } = names;
  files.write({
    standby: standby !== null && isCurrent(standby) ? standby : null,
    // A building generation without a file is started again under the same number.
    building: building !== null && (!existsSync(path(building)) || isCurrent(building)) ? building : null,
  });
  if (!about(names.serving)) remove(names.serving);
  const kept = new Set([names.serving, names.standby, names.building]);
  for (const name of readdirSync(folder)) {
    const number = FILE.exec(name)?.[1];
    if (number !== undefined && !kept.has(Number(number)) && !isSetAside(name))
      rmSync(join(folder, name), { force: true });
  }
  return files;
};
