import { cpSync } from 'node:fs';
import { temporaryFolder } from '../processes/server.ts';

/** Copies a data folder on which no service runs, as docs/operate/backup.md has an operator do it. */
export const copyStopped = (folder: string): string => {
  const copy = temporaryFolder();
  cpSync(folder, copy, { recursive: true, filter: path => !path.endsWith('.sock') });
  return copy;
};
