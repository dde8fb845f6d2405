/** The steps of a rotation, on the file of the installation's keys: add, then use, then retire. */
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { ServiceError } from '../../core/errors.ts';
import { kidOf } from '../../core/log/keys/installation-keys.ts';
import { changeSecret, KEY_BYTES, readInstallationKeys, writeSecret } from './files.ts';

/** Longer than any process needs to follow the file, even a mounted secret. */
const FOLLOWED_MS = 10 * 60_000;

export interface ListedInstallationKey {
  kid: string;
  state: 'wraps' | 'opens';
}

/** Steps that read and write the file under a lock; each throws `conflict` while another command holds it. */
export interface RotatingInstallationKeys {
  /** Lists the keys in the file's order: the first one wraps. */
  list(): ListedInstallationKey[];
  /** Adds a new key after the others, which wraps nothing yet. Returns its kid. */
  add(): string;
  /** Makes this key the one that wraps. Returns false if it was already. */
  use(kid: string): boolean;
  /** Throws if the key may not be retired yet. `force`: even if a process may still wrap by it. */
  assertUnused(kid: string, force: boolean): void;
  /** Moves a key into a file of its own and returns that file's path. Throws as `assertUnused` does. */
  retire(kid: string, force: boolean): string;
}

const linesOf = (keys: readonly Uint8Array[]): string =>
  keys.map(key => `${Buffer.from(key).toString('base64')}\n`).join('');

const invalid = (message: string): ServiceError => new ServiceError('invalid', message);

/** `clock`: Unix milliseconds. */
export const rotatingInstallationKeys = (file: string, clock: () => number): RotatingInstallationKeys => {
  const read = (): Uint8Array[] => readInstallationKeys(file);
  const change = (next: (keys: Uint8Array[]) => Uint8Array[] | undefined): void =>
    changeSecret(file, () => {
      const keys = next(read());
      return keys && linesOf(keys);
    });
  const found = (keys: readonly Uint8Array[], kid: string): Uint8Array => {
    const key = keys.find(one => kidOf(one) === kid);
    if (!key) throw invalid(`There is no installation key ${kid}.`);
    return key;
  };
  const assertUnusedIn = (keys: readonly Uint8Array[], kid: string, force: boolean): void => {
    if (found(keys, kid) === keys[0]) throw invalid(`The key ${kid} wraps; use another one first.`);
    const until = statSync(file).mtimeMs + FOLLOWED_MS;
    if (!force && until > clock())
      throw invalid(
        `Processes may still wrap by the key until ${new Date(until).toISOString()}; --force retires it all the same.`,
      );
  };

  return {
    list: () => read().map((key, index) => ({ kid: kidOf(key), state: index === 0 ? 'wraps' : 'opens' })),
    add: () => {
      const key = randomBytes(KEY_BYTES);
      change(keys => [...keys, key]);
      return kidOf(key);
    },
    use: kid => {
      let isNew = false;
      change(keys => {
        const key = found(keys, kid);
        isNew = key !== keys[0];
        return isNew ? [key, ...keys.filter(one => one !== key)] : undefined;
      });
      return isNew;
    },
    assertUnused: (kid, force) => assertUnusedIn(read(), kid, force),
    retire: (kid, force) => {
      const retired = `${file}.retired-${kid}`;
      change(keys => {
        // Another command may have used the key since the caller looked.
        assertUnusedIn(keys, kid, force);
        const key = found(keys, kid);
        writeSecret(retired, linesOf([key]));
        return keys.filter(one => one !== key);
      });
      return retired;
    },
  };
};
