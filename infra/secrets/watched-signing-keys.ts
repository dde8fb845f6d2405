import { readFile } from 'node:fs/promises';
import type { SigningKeys } from '../../core/ports.ts';
import { loadSigningKeys, parseSigningKeys, signingKeysFile } from './signing-keys.ts';

/** Maximum delay until a process follows a change of the file. */
const LOOK_EVERY_MS = 2_000;

/**
 * Returns signing keys that follow their file: every process that shares it has a change within seconds,
 * without a restart. A file that can't be read or parsed is reported once, and the keys stay as they were.
 */
export const watchSigningKeys = async (
  location: { dataDir: string; file?: string | undefined },
  onFault: (error: unknown) => void,
): Promise<{ keys: SigningKeys; close: () => void }> => {
  let keys = await loadSigningKeys(location);
  let seen = await readFile(signingKeysFile(location), 'utf8').catch(() => '');
  let fault = '';
  const look = async (): Promise<void> => {
    try {
      const content = await readFile(signingKeysFile(location), 'utf8');
      if (content !== seen) keys = parseSigningKeys(content);
      seen = content;
      fault = '';
    } catch (error) {
      const { message } = error as Error;
      if (message !== fault) onFault(error);
      fault = message;
    }
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref();
  return { keys: () => keys, close: () => clearInterval(timer) };
};
