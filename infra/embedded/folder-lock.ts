import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isLocked } from './sqlite-errors.ts';

/**
 * Returns whether a process has opened this data folder (data-folder.ts). Asks for a shared lock for a
 * moment, and writes nothing.
 */
export const isFolderInUse = (folder: string): boolean => {
  const path = join(folder, 'lock');
  if (!existsSync(path)) return false;
  const database = new DatabaseSync(path, { readOnly: true, timeout: 0 });
  try {
    database.prepare('SELECT count(*) FROM sqlite_master').get();
    return false;
  } catch (error) {
    if (isLocked(error)) return true;
    throw error;
  } finally {
    database.close();
  }
};
