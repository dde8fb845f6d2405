/** The steps of a rotation, on the file of the installation's keys: add, then use, then retire. */
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { ServiceError } from '../../services/core/errors.ts';
import { kidOf } from '../../services/core/log/installation-keys.ts';
import { KEY_BYTES, readInstallationKeys, writeSecret } from './files.ts';

/** Longer than any process needs to follow the file, also where it is a mounted secret. */
const FOLLOWED_MS = 10 * 60_000;

export interface ListedInstallationKey {
  kid: string;
  state: 'wraps' | 'opens';
}

export interface RotatingInstallationKeys {
  /** In the file's order: the first one wraps. */
  list(): ListedInstallationKey[];
  /** Adds a new key behind the others, which wraps nothing yet. Returns its kid. */
  add(): string;
  /** Wraps by this key from now on. False when it did already. */
  use(kid: string): boolean;
  /** Throws when it may not be retired yet. `force`: though a process may still wrap by it. */
  assertUnused(kid: string, force: boolean): void;
  /** Takes a key out of the file, into a file of its own beside it. Returns that file's path. */
  retire(kid: string): string;
}

const invalid = (message: string): ServiceError => new ServiceError('invalid', message);

/** `clock`: Unix milliseconds. */
export const rotatingInstallationKeys = (file: string, clock: () => number): RotatingInstallationKeys => {
  const read = (): Uint8Array[] => readInstallationKeys(file);
  const write = (keys: readonly Uint8Array[]): void =>
    writeSecret(file, keys.map(key => `${Buffer.from(key).toString('base64')}\n`).join(''));
  const found = (keys: readonly Uint8Array[], kid: string): Uint8Array => {
    const key = keys.find(one => kidOf(one) === kid);
    if (!key) throw invalid(`There is no installation key ${kid}.`);
    return key;
  };
  const assertUnused = (kid: string, force: boolean): void => {
    const keys = read();
    if (found(keys, kid) === keys[0]) throw invalid(`The key ${kid} wraps; use another one first.`);
    const until = statSync(file).mtimeMs + FOLLOWED_MS;
    if (!force && until > clock())
      throw invalid(
        `Processes may still wrap by the key until ${new Date(until).toISOString()}; --force retires it all the same.`,
      );
  };

  return {
    list: () => read().map((key, place) => ({ kid: kidOf(key), state: place === 0 ? 'wraps' : 'opens' })),
    add: () => {
      const key = randomBytes(KEY_BYTES);
      write([...read(), key]);
      return kidOf(key);
    },
    use: kid => {
      const keys = read();
      const key = found(keys, kid);
      if (key === keys[0]) return false;
      write([key, ...keys.filter(one => one !== key)]);
      return true;
    },
    assertUnused,
    retire: kid => {
      const keys = read();
      const key = found(keys, kid);
      const retired = `${file}.retired-${kid}`;
      writeSecret(retired, `${Buffer.from(key).toString('base64')}\n`);
      write(keys.filter(one => one !== key));
      return retired;
    },
  };
};
