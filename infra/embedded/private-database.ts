import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite';

/**
 * Opens a database for writing. Its file is its owner's alone, whatever the folder and the process allow:
 * SQLite gives `-wal` and `-shm` the mode of the file beside which they are.
 */
export const openPrivateDatabase = (path: string, options: DatabaseSyncOptions = {}): DatabaseSync => {
  closeSync(openSync(path, 'a', 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`].filter(existsSync)) {
    const { mode, uid } = statSync(file);
    // One that was copied here may be open to others. Another user's can't be changed.
    if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(file, 0o600);
  }
  return new DatabaseSync(path, options);
};
