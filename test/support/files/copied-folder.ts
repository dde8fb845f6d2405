/** Copies of a data folder, as docs/operate/backup.md has an operator make them. */
import { copyFileSync, cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryFolder } from '../processes/server.ts';

/** In this order: a key is on the disk before what it seals, so that the log's copy lacks no key. */
const DATABASES = ['log.db', 'keys.db'];
const SECRETS = ['installation-key', 'signing-keys.json', 'api-key'];

/** Copies a folder on which a service runs. */
export const copyRunning = (folder: string): string => {
  const copy = temporaryFolder();
  for (const name of DATABASES) {
    const database = new DatabaseSync(join(folder, name), { readOnly: true, timeout: 5_000 });
    database.exec(`VACUUM INTO '${join(copy, name)}'`);
    database.close();
  }
  for (const name of SECRETS)
    if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(copy, name));
  return copy;
};

/** Copies a folder on which none runs. */
export const copyStopped = (folder: string): string => {
  const copy = temporaryFolder();
  cpSync(folder, copy, { recursive: true, filter: path => !path.endsWith('.sock') });
  return copy;
};
