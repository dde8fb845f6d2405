/** The files that a process has open: nobody else closes them for one that is only played. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import sqlite from 'node:sqlite';

export interface Resources {
  /** Closes everything that was opened since the last call. */
  closeAll(): void;
  release(): void;
}

export const watchResources = (): Resources => {
  const databases = new Set<sqlite.DatabaseSync>();
  const files = new Set<number>();
  const { openSync, closeSync } = fs;
  const { DatabaseSync } = sqlite;
  class WatchedDatabase extends DatabaseSync {
    constructor(...args: ConstructorParameters<typeof DatabaseSync>) {
      super(...args);
      databases.add(this);
    }

    override close(): void {
      super.close();
      databases.delete(this);
    }
  }
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
  Object.assign(sqlite, { DatabaseSync: WatchedDatabase });
  syncBuiltinESMExports();
  return {
    closeAll: () => {
      for (const database of databases) if (database.isOpen) database.close();
      databases.clear();
      for (const file of [...files]) fs.closeSync(file);
    },
    release: () => {
      Object.assign(fs, { openSync, closeSync });
      Object.assign(sqlite, { DatabaseSync });
      syncBuiltinESMExports();
    },
  };
};
