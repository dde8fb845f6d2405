/**
 * Copies of a data folder: made while a service runs on it, checked, and put in its place. What is built from
 * the log is not copied.
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  createReadStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '../../core/errors.ts';
import type { Backup, BackupFile } from '../../core/operator/backup.ts';
import { writeSecret } from '../secrets/files.ts';
import { assertFormat } from './folder-format.ts';

/**
 * In this order: a key is on the disk before what it seals, so that the log's copy lacks no key.
 */
const DATABASES = ['log.db', 'keys.db'];
const KEYS_FILE = 'installation-key';
const SECRETS = ['signing-keys.json', 'api-key'];
/** Written last: without it a copy is not whole. */
const MANIFEST = 'backup.json';
const FORM = 'turnstone-backup/1';
const BUSY_MS = 5_000;

const conflict = (message: string, cause?: unknown): ServiceError =>
  new ServiceError('conflict', message, { cause });

const sync = (path: string): void => {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

const hashOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex');
};

const fileOf = async (folder: string, name: string): Promise<BackupFile> => ({
  name,
  bytes: statSync(join(folder, name)).size,
  sha256: await hashOf(join(folder, name)),
});

const makeEmptyFolder = (folder: string): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (readdirSync(folder).length > 0) throw conflict(`${folder} is not empty.`);
};

/** One snapshot, however much is written meanwhile. */
const copyDatabase = (from: string, to: string): void => {
  const database = new DatabaseSync(from, { readOnly: true, timeout: BUSY_MS });
  try {
    database.prepare('VACUUM INTO ?').run(to);
  } finally {
    database.close();
  }
};

const copyPrivate = (from: string, to: string): void => {
  copyFileSync(from, to);
  chmodSync(to, 0o600);
};

const putDurably = (from: string, to: string): void => {
  copyPrivate(from, to);
  sync(to);
};

const keysFirst = (a: string, b: string): number => Number(b === 'keys.db') - Number(a === 'keys.db');

/**
 * Copies a data folder into an empty one; what was acknowledged before the call is in it.
 *
 * @param withKey whether the installation's key is copied too: who has it can read the copy
 * @throws ServiceError `not_found` without a data folder, `conflict` if the target is not empty
 */
export const backUp = async (
  folder: string,
  target: string,
  { withKey, version }: { withKey: boolean; version: string },
): Promise<Backup> => {
  if (!existsSync(join(folder, 'log.db')))
    throw new ServiceError('not_found', `There is no data folder at ${folder}.`);
  assertFormat(folder);
  makeEmptyFolder(target);
  const madeAt = new Date().toISOString();
  for (const name of DATABASES) {
    copyDatabase(join(folder, name), join(target, name));
    chmodSync(join(target, name), 0o600);
  }
  const secrets = [...(withKey ? [KEYS_FILE] : []), ...SECRETS].filter(name =>
    existsSync(join(folder, name)),
  );
  for (const name of secrets) copyPrivate(join(folder, name), join(target, name));
  const names = [...DATABASES, ...secrets];
  const files = await Promise.all(names.map(name => fileOf(target, name)));
  for (const name of names) sync(join(target, name));
  const backup: Backup = { form: FORM, made_at: madeAt, version, files };
  writeSecret(join(target, MANIFEST), `${JSON.stringify(backup, null, 2)}\n`);
  sync(target);
  return backup;
};

const isFile = (value: unknown): value is BackupFile => {
  const { name, bytes, sha256 } = (value ?? {}) as Record<string, unknown>;
  const isOurs = [...DATABASES, KEYS_FILE, ...SECRETS].includes(String(name));
  return isOurs && Number.isSafeInteger(bytes) && typeof sha256 === 'string';
};

/** Reads what a copy says of itself. Throws a `ServiceError` if it is none, or not whole. */
const manifestOf = (copy: string): Backup => {
  let value: Partial<Backup>;
  try {
    value = JSON.parse(readFileSync(join(copy, MANIFEST), 'utf8')) as Partial<Backup>;
  } catch (cause) {
    throw conflict(`${copy} is no whole backup: it has no readable ${MANIFEST}.`, cause);
  }
  const { form, files } = value ?? {};
  if (form !== FORM || !Array.isArray(files) || !files.every(isFile))
    throw conflict(`${join(copy, MANIFEST)} is of another version, or was changed.`);
  return value as Backup;
};

/** Returns what is wrong with the files of a copy, each by its name. */
const faultsOf = async (copy: string, { files }: Backup): Promise<string[]> => {
  const faults = files.map(async ({ name, bytes, sha256 }) => {
    const path = join(copy, name);
    if (!existsSync(path)) return [`${name} is missing`];
    if (statSync(path).size !== bytes)
      return [`${name} has ${statSync(path).size} bytes instead of ${bytes}`];
    return (await hashOf(path)) === sha256 ? [] : [`${name} has other bytes than when it was copied`];
  });
  const missing = DATABASES.filter(name => !files.some(file => file.name === name));
  return [...(await Promise.all(faults)).flat(), ...missing.map(name => `${name} is not in it`)];
};

/**
 * Puts a copy in place of an empty or missing data folder, after its files were compared with what they were.
 *
 * @param key the file of the installation's key, where the copy has none
 * @throws ServiceError `conflict` with every fault of the copy; then nothing was written
 */
export const restore = async (copy: string, folder: string, key?: string): Promise<Backup> => {
  const backup = manifestOf(copy);
  const faults = await faultsOf(copy, backup);
  const hasKey = backup.files.some(({ name }) => name === KEYS_FILE);
  if (!hasKey && key === undefined)
    faults.push(`the installation's key is not in it: name its file with --installation-key`);
  if (key !== undefined && !existsSync(key)) faults.push(`there is no file ${key}`);
  if (faults.length > 0) throw conflict(`${copy} can't be restored:\n  ${faults.join('\n  ')}`);
  makeEmptyFolder(folder);
  // Sealing keys without the installation's are refused at a start, so a copy that was cut short is, too: on
  // a log alone a service would make new keys, and take all that was said for erased.
  const names = backup.files.map(({ name }) => name).filter(name => name !== KEYS_FILE);
  for (const name of names.toSorted(keysFirst)) putDurably(join(copy, name), join(folder, name));
  sync(folder);
  putDurably(key ?? join(copy, KEYS_FILE), join(folder, KEYS_FILE));
  sync(folder);
  assertFormat(folder);
  return backup;
};
