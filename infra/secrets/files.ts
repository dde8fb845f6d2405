/** Files readable only by their owner: the installation's key, an API key. */
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export const KEY_BYTES = 32;

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

/** The file of a data folder. */
export const installationKeysOf = (dataDir: string): string => join(dataDir, 'installation-key');

/** Creates the installation's key if it is missing. */
export const makeInstallationKey = (path: string): void => {
  if (!existsSync(path)) writeSecret(path, randomBytes(KEY_BYTES).toString('base64'));
};

/**
 * Reads the keys that wrap all sealing keys, a line each: 32 bytes in base64. The first one wraps what is new. Throws an
 * `Error` that reveals nothing of the file.
 */
export const readInstallationKeys = (path: string): Uint8Array[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split(/\s+/)
    .map(line => {
      const key = Buffer.from(line, 'base64');
      if (key.length !== KEY_BYTES)
        throw new Error(`an installation key must be ${KEY_BYTES} bytes in base64`);
      return key;
    });
