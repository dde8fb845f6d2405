/** The files that a process has open: nobody else closes them for one that is only played. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync } from 'node:sqlite';

export interface Resources {
  /** Closes everything that was opened since the last call. */
  closeAll(): void;
  release(): void;
}

export const watchResources = (): Resources => {
  const databases = new Set<DatabaseSync>();
  const files = new Set<number>();
  const { openSync, closeSync } = fs;
  // A class that is imported by its name can't be replaced; each of its objects is used once it is open.
  const { prototype } = DatabaseSync;
  const { exec, prepare } = prototype;
  prototype.exec = function (sql) {
    databases.add(this);
    return exec.call(this, sql);
  };
  prototype.prepare = function (...args) {
    databases.add(this);
    return prepare.apply(this, args);
  };
  Object.assign(fs, {
    openSync: (...args: Parameters<typeof openSync>) => {
      const file = openSync(...args);
      files.add(file);
      return file;
    },
    closeSync: (file: number) => {
      files.delete(file);
      closeSync(file);
    },
  });
  syncBuiltinESMExports();
  return {
    closeAll: () => {
      for (const database of databases) if (database.isOpen) database.close();
      databases.clear();
      for (const file of [...files]) fs.closeSync(file);
    },
    release: () => {
      Object.assign(fs, { openSync, closeSync });
      Object.assign(prototype, { exec, prepare });
      syncBuiltinESMExports();
    },
  };
};
