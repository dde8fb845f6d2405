import { closeSync, openSync, readFileSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export const projectionsFile = (dataDir: string, generation = 1): string =>
  join(dataDir, `projections-${generation}.db`);

/** Changes a file that no process has open, and removes its pages' sums, which would call it damaged. */
export const changeProjections = (dataDir: string, sql: string): void => {
  const path = projectionsFile(dataDir);
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
  rmSync(`${path}-sums`, { force: true });
};

/** Flips a bit of the file's byte, as a bad disk does. */
export const flipBit = (path: string, at: number): void => {
  const file = openSync(path, 'r+');
  const byte = Buffer.alloc(1);
  readSync(file, byte, 0, 1, at);
  byte[0]! ^= 1;
  writeSync(file, byte, 0, 1, at);
  closeSync(file);
};

/** Where the text is in the file; -1 when it isn't. */
export const findText = (path: string, text: string): number => readFileSync(path).indexOf(text);
