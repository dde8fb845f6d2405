import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { ServiceError } from '../../core/errors.ts';
import type { InstallationKeys } from '../../core/log/keys/installation-keys.ts';
import type { GenerationFiles } from '../../core/ports.ts';
import { installationKeysOf, makeInstallationKey } from '../secrets/files.ts';
import { followInstallationKeys } from '../secrets/installation-keys.ts';
import { assertFormat } from './folder-format.ts';
import { openGenerationFiles } from './index/file/open-generation-files.ts';
import { openPrivateDatabase } from './private-database.ts';

export interface DataFolder {
  paths: {
    log: string;
    keys: string;
    /** The budgets of a day, as far as organizations have used them. */
    budgets: string;
    installationKeys: string;
    apiKey: string;
    signingKeys: string;
    adminSocket: string;
    clock: string;
  };
  /** The generations of the projections' file. */
  generations: GenerationFiles;
  /**
   * Wraps all sealing keys. Stored in its own file, so that a copy of the keys' file alone decrypts nothing.
   */
  installationKeys: InstallationKeys;
  release(): void;
}

/**
 * Locks one of our files through SQLite: the operating system releases the lock when the process ends,
 * however it ends. Throws `conflict` if another process holds it.
 */
const lock = (path: string): DatabaseSync => {
  const database = openPrivateDatabase(path, { timeout: 0 });
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (cause) {
    database.close();
    throw new ServiceError('conflict', 'The data folder is in use by another Turnstone process.', { cause });
  }
};

/**
 * Creates the folder on the first start, refuses one of another format, locks it for this process, and reads
 * its installation key. `onKeysFault`: called once if the keys can't be read again.
 */
export const openDataFolder = (folder: string, onKeysFault?: (error: unknown) => void): DataFolder => {
  assertFormat(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const locked = lock(join(folder, 'lock'));
  const keyFile = installationKeysOf(folder);
  const keys = join(folder, 'keys.db');
  if (!existsSync(keyFile)) {
    if (existsSync(keys)) {
      locked.close();
      throw new Error(
        'installation-key is missing from the data folder: without it nothing in the log can be read',
      );
    }
    makeInstallationKey(keyFile);
  }
  return {
    paths: {
      log: join(folder, 'log.db'),
      keys,
      budgets: join(folder, 'budgets.db'),
      installationKeys: keyFile,
      apiKey: join(folder, 'api-key'),
      signingKeys: join(folder, 'signing-keys.json'),
      adminSocket: join(folder, 'admin.sock'),
      clock: join(folder, 'clock'),
    },
    generations: openGenerationFiles(folder),
    installationKeys: followInstallationKeys(keyFile, onKeysFault),
    release: () => locked.close(),
  };
};
