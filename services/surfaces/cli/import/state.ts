import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '../../../../core/time.ts';

/** Progress of an import: this many requests, counted from the first, are acknowledged. */
export interface Reached {
  requests: number;
  /** Turns in those requests. */
  turns: number;
  /**
   * Digest of those requests: it differs if the file is read differently or the limits of a request change.
   */
  digest: string;
  /** The id that the service gave the last of them, derived with a key that only the service has. */
  job: string;
}

/**
 * Stores the progress in the data folder for the next import of the file. It contains no text and no names.
 */
export interface ImportState {
  /** Where the next import of this file resumes; initially where an earlier one stopped. */
  kept(): Reached | undefined;
  /**
   * Starts counting here; undefined: from the first request, with nothing recorded until one is acknowledged.
   * Returns false if the recorded progress can't be deleted.
   */
  startFrom(reached: Reached | undefined): boolean;
  /** Acknowledges the last of `requests`; calls may come in any order. */
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
    // The file is missing or damaged; sending everything again costs nothing.
    return undefined;
  }
};

/** The progress of a file that has changed or is never imported again is removed only by age. */
const LONGEST_KEPT_MS = 90 * DAY_MS;

const forgetOld = (folder: string): void => {
  for (const name of globSync('*.json', { cwd: folder })) {
    const path = join(folder, name);
    try {
      if (Date.now() - statSync(path).mtimeMs > LONGEST_KEPT_MS) rmSync(path);
    } catch {
      // Another import removed it, or the folder is not writable, which is reported where it matters.
    }
  }
};

/** `of` identifies this import. `onUnwritable` is called once if nothing can be stored. */
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
  let isReported = false;

  /** An import works without its state, but can't be resumed then. */
  const attempt = (change: () => void): boolean => {
    try {
      change();
      return true;
    } catch (error) {
      if (!isReported) onUnwritable((error as NodeJS.ErrnoException).code);
      isReported = true;
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
      if (last && !isReported) attempt(() => write(last));
    },
  };
};
