/** Files readable only by their owner: the installation's keys, the signing keys, an API key. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ServiceError } from '../../core/errors.ts';

export const KEY_BYTES = 32;

type Content = string | Uint8Array;

const draftOf = (path: string): string => `${path}.new`;

/**
 * Writes a secret atomically and durably; a new file gets mode 600, an existing one keeps its mode, owner and
 * group.
 */
export const writeSecret = (path: string, content: Content): void =>
  replaceByDraft(path, openSync(draftOf(path), 'w', 0o600), () => content);

/**
 * Writes the result of `change`, like `writeSecret`; undefined changes nothing. The draft is a lock, so that
 * the content read by `change` is still current when its result is written. Throws `conflict` if another
 * process has the lock.
 */
export const changeSecret = (path: string, change: () => Content | undefined): void =>
  replaceByDraft(path, lockedDraft(path), change);

const lockedDraft = (path: string): number => {
  try {
    return openSync(draftOf(path), 'wx', 0o600);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    // A killed process leaves its draft. It isn't taken over: two processes that try at once could both
    // succeed.
    throw new ServiceError(
      'conflict',
      `Another command is changing the file. If none is, one was killed: remove ${draftOf(path)} and try again.`,
      { cause },
    );
  }
};

const replaceByDraft = (path: string, draft: number, make: () => Content | undefined): void => {
  let isReplaced = false;
  try {
    const content = make();
    if (content === undefined) return;
    keepAccess(path, draft);
    writeFileSync(draft, content);
    fsyncSync(draft);
    renameSync(draftOf(path), path);
    isReplaced = true;
  } finally {
    closeSync(draft);
    if (!isReplaced) rmSync(draftOf(path), { force: true });
  }
  syncFolder(dirname(path));
};

/** A command that runs as root must not take the file away from the server, which runs as another user. */
const keepAccess = (path: string, draft: number): void => {
  const former = statSync(path, { throwIfNoEntry: false });
  const { uid, gid } = fstatSync(draft);
  if (former && (former.uid !== uid || former.gid !== gid)) fchownSync(draft, former.uid, former.gid);
  fchmodSync(draft, former ? former.mode & 0o777 : 0o600);
};

/** Without this a power failure may undo a rename. */
const syncFolder = (path: string): void => {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
};

/** Returns the path of the key file in a data folder. */
export const installationKeysOf = (dataDir: string): string => join(dataDir, 'installation-key');

/** The answers of file systems that have no hard links. */
const NO_LINKS = new Set<string | undefined>(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * Creates a secret atomically and durably, with mode 600, unless the file exists: of several processes that
 * start at once, one creates it, and all of them then read the same content.
 */
export const createSecret = (path: string, content: Content): void => {
  if (existsSync(path)) return;
  const own = `${path}.${randomBytes(6).toString('hex')}`;
  const draft = openSync(own, 'wx', 0o600);
  try {
    writeFileSync(draft, content);
    fsyncSync(draft);
    // A rename would replace the file of a process that was faster.
    linkSync(own, path);
    rmSync(draftOf(path), { force: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Without hard links, as on a mounted share, two first starts at once are told apart by nobody.
    if (NO_LINKS.has(code)) renameSync(own, path);
    else if (code !== 'EEXIST') throw error;
  } finally {
    closeSync(draft);
    rmSync(own, { force: true });
  }
  syncFolder(dirname(path));
};

/** Creates the installation's key if it is missing. */
export const makeInstallationKey = (path: string): void =>
  createSecret(path, randomBytes(KEY_BYTES).toString('base64'));

/**
 * Reads the keys that wrap all sealing keys, one per line: 32 bytes in base64. The first one wraps new keys.
 * Throws an `Error` that reveals nothing of the file.
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
