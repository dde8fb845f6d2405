import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ServiceError } from '../../services/errors.ts';
import { PROJECTIONS_VERSION, projectionsVersion } from './projections-database.ts';

export interface DataFolder {
  paths: {
    log: string;
    keys: string;
    projections: string;
    apiKey: string;
    signingKeys: string;
    adminSocket: string;
  };
  /** Wraps all sealing keys. In a file of its own, so that a copy of the keys' file alone opens nothing. */
  installationKey: Uint8Array;
  release(): void;
}

/** Writes a secret whole or not at all: mode 600, synced, then renamed into place. */
export const writeSecret = (path: string, content: string | Uint8Array): void => {
  const draft = `${path}.new`;
  const file = openSync(draft, 'w', 0o600);
  try {
    writeSync(file, typeof content === 'string' ? Buffer.from(content) : content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
};

/**
 * SQLite's own lock on a file of ours: the system lets go of it when the process ends, however it ends.
 * Throws `conflict` when another process holds it.
 */
const lock = (path: string): DatabaseSync => {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (cause) {
    database.close();
    throw new ServiceError('conflict', 'The data folder is in use by another Turnstone process.', { cause });
  }
};

/** Makes the folder on the first start, takes it for this process, and reads its installation key. */
export const openDataFolder = (folder: string): DataFolder => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const locked = lock(join(folder, 'lock'));
  const keyFile = join(folder, 'installation-key');
  const keys = join(folder, 'keys.db');
  if (!existsSync(keyFile)) {
    if (existsSync(keys)) {
      locked.close();
      throw new Error(
        'installation-key is missing from the data folder: without it nothing in the log can be read',
      );
    }
    writeSecret(keyFile, randomBytes(32).toString('base64'));
  }
  const projections = join(folder, 'projections.db');
  if (existsSync(projections) && projectionsVersion(projections) !== PROJECTIONS_VERSION) {
    // Another release's projections: the log builds ours.
    for (const suffix of ['', '-wal', '-shm']) rmSync(projections + suffix, { force: true });
  }
  return {
    paths: {
      log: join(folder, 'log.db'),
      keys,
      projections,
      apiKey: join(folder, 'api-key'),
      signingKeys: join(folder, 'signing-keys.json'),
      adminSocket: join(folder, 'admin.sock'),
    },
    installationKey: Buffer.from(readFileSync(keyFile, 'utf8'), 'base64'),
    release: () => locked.close(),
  };
};
