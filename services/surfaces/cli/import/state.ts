import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How far an import has come: so many of its requests, from the first on, are acknowledged. */
export interface Reached {
  requests: number;
  /** That those requests hold. */
  turns: number;
  /** Of all that those requests hold: another reading of the file, or other limits of a request, has another. */
  digest: string;
  /** The id that the service gave the last of them. It is made with a key that the service alone has. */
  job: string;
}

/** Keeps it in the data folder for the next import of the same file. It holds no word and no name. */
export interface ImportState {
  /** Where the next import of this file goes on; at first where an earlier one had come to. */
  kept(): Reached | undefined;
  /**
   * From here on this import counts; undefined: from the first request, and nothing is known until one is acknowledged.
   * False where what was known can't be forgotten.
   */
  startFrom(reached: Reached | undefined): boolean;
  /** The last of `requests`; they may be told in any order. */
  acknowledge(reached: Reached): void;
}

const read = (path: string): Reached | undefined => {
  try {
    const { requests, turns, digest, job } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Reached>;
    const areCounts = [requests, turns].every(count => Number.isSafeInteger(count) && Number(count) > 0);
    return areCounts && digest && job
      ? { requests: Number(requests), turns: Number(turns), digest, job }
      : undefined;
  } catch {
    // None was kept, or the machine stopped while it was written: sending again costs nothing.
    return undefined;
  }
};

/** A file that changed, or never came again, has no other end. */
const LONGEST_KEPT_MS = 90 * 86_400_000;

const forgetOld = (folder: string): void => {
  for (const name of globSync('*.json', { cwd: folder })) {
    const path = join(folder, name);
    try {
      if (Date.now() - statSync(path).mtimeMs > LONGEST_KEPT_MS) rmSync(path);
    } catch {
      // Another import forgot it, or nothing can be written there, which is told where it matters.
    }
  }
};

/** `of`: what tells this import from others. `onUnwritable` hears once that nothing can be kept. */
export const openState = (
  dataDir: string,
  of: unknown[],
  { restart, onUnwritable }: { restart: boolean; onUnwritable: (code: string | undefined) => void },
): ImportState => {
  const key = createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, 32);
  const folder = join(dataDir, 'imports');
  const path = join(folder, `${key}.json`);
  const ahead = new Map<number, Reached>();
  let kept = restart ? undefined : read(path);
  let requests = 0;
  let isTold = false;

  /** Without what it keeps an import is as good, but can't go on. */
  const attempt = (change: () => void): boolean => {
    try {
      change();
      return true;
    } catch (error) {
      if (!isTold) onUnwritable((error as NodeJS.ErrnoException).code);
      isTold = true;
      return false;
    }
  };

  const write = (reached: Reached): void => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(`${path}.part`, `${JSON.stringify(reached)}\n`, { mode: 0o600 });
    renameSync(`${path}.part`, path);
    kept = reached;
  };

  const forget = (): void => {
    rmSync(path, { force: true });
    kept = undefined;
  };

  const startFrom = (reached: Reached | undefined): boolean => {
    ahead.clear();
    requests = reached?.requests ?? 0;
    return attempt(() => (reached ? write(reached) : forget()));
  };

  forgetOld(folder);
  if (restart) startFrom(undefined);
  return {
    kept: () => kept,
    startFrom,
    acknowledge: reached => {
      ahead.set(reached.requests, reached);
      let last: Reached | undefined;
      for (let next = ahead.get(requests + 1); next; next = ahead.get(requests + 1)) {
        ahead.delete(++requests);
        last = next;
      }
      if (last && !isTold) attempt(() => write(last));
    },
  };
};
