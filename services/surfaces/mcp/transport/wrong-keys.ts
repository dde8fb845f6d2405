import type { Refusal } from './guard.ts';

const WINDOW_MS = 60_000;
/** Maximum rejected keys that are remembered. */
const MOST = 1_000;

interface Failure {
  /** Unix milliseconds. */
  at: number;
  refusal: Refusal;
}

type Tried<T> = { ok: true; value: T } | { ok: false; refusal: Refusal };

/** An attempt with a key: `refusal` decides whether an error is the key's fault. */
interface Trial<T> {
  keyDigest: Buffer;
  attempt: () => Promise<T>;
  refusal: (error: unknown) => Refusal | undefined;
}

/**
 * Passes keys on to Turnstone, which counts those that it rejects, and takes valid ones whatever it counted.
 * A key that was rejected less than a minute ago is not sent again.
 */
export const makeWrongKeys = (clock: () => number) => {
  /** By the key's digest. */
  const failures = new Map<string, Failure>();

  /** Throws errors of `attempt` that are not the key's fault. */
  return async <T>({ keyDigest, attempt, refusal }: Trial<T>): Promise<Tried<T>> => {
    const name = keyDigest.toString('hex');
    const known = failures.get(name);
    if (known && clock() - known.at < WINDOW_MS) return { ok: false, refusal: known.refusal };
    failures.delete(name);
    try {
      return { ok: true, value: await attempt() };
    } catch (error) {
      const fault = refusal(error);
      if (fault === undefined) throw error;
      if (failures.size >= MOST) failures.delete(failures.keys().next().value!);
      failures.set(name, { at: clock(), refusal: fault });
      return { ok: false, refusal: fault };
    }
  };
};
