/** Files readable only by their owner: the installation's key, an API key. */
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';

const KEY_BYTES = 32;

/** Writes a secret atomically: mode 600, synced, then renamed. */
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

/** Creates the installation's key if it is missing. */
export const makeInstallationKey = (path: string): void => {
  if (!existsSync(path)) writeSecret(path, randomBytes(KEY_BYTES).toString('base64'));
};

/** Reads the key that wraps all sealing keys: 32 bytes in base64. Throws an `Error` that reveals nothing of the file. */
export const readInstallationKey = (path: string): Uint8Array => {
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64');
  if (key.length !== KEY_BYTES) throw new Error(`the installation key must be ${KEY_BYTES} bytes in base64`);
  return key;
};
