import { isSameKey, type Refusal } from './guard.ts';

const WINDOW_MS = 60_000;
/** Maximum failures per address and minute. */
const MOST_OF_ADDRESS = 10;
/**
 * Maximum failures of all addresses together. Turnstone counts all failures against this server's address,
 * and at 30 (its default) rejects every caller from there, including other callers and the person at the
 * command line.
 */
const MOST = 20;
/** Maximum accepted keys that are remembered. */
const MOST_TAKEN = 1_000;

interface Failure {
  /** Unix milliseconds. */
  at: number;
  address: string;
  keyDigest: Buffer;
  refusal: Refusal;
}

type Tried<T> = { ok: true; value: T } | { ok: false; refusal: Refusal };

/** An attempt with a key: `refusal` decides whether an error is the key's fault. */
interface Trial<T> {
  address: string;
  keyDigest: Buffer;
  attempt: () => Promise<T>;
  refusal: (error: unknown) => Refusal | undefined;
}

/**
 * Passes keys on to Turnstone, which counts those that it rejects: a key that was just rejected is not sent
 * again, and after too many rejections no new key is sent until a minute has passed. A key that was accepted
 * before is always passed on.
 */
export const makeWrongKeys = (clock: () => number) => {
  let failures: Failure[] = [];
  const taken = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();

  const refused = ({ address, keyDigest }: Pick<Failure, 'address' | 'keyDigest'>): Refusal | undefined => {
    const now = clock();
    failures = failures.filter(({ at }) => now - at < WINDOW_MS);
    const known = failures.find(failure => isSameKey(failure.keyDigest, keyDigest));
    if (known) return known.refusal;
    const own = failures.filter(failure => failure.address === address);
    const [oldest] = own.length >= MOST_OF_ADDRESS ? own : failures.length >= MOST ? failures : [];
    return (
      oldest && {
        status: 429,
        message: 'Too many API keys were rejected; wait and try again.',
        headers: { 'Retry-After': String(Math.ceil((oldest.at + WINDOW_MS - now) / 1_000)) },
      }
    );
  };

  const attempted = async <T>({ address, keyDigest, attempt, refusal }: Trial<T>): Promise<Tried<T>> => {
    const name = keyDigest.toString('hex');
    try {
      const value = await attempt();
      if (taken.size >= MOST_TAKEN) taken.delete(taken.values().next().value!);
      taken.add(name);
      return { ok: true, value };
    } catch (error) {
      const fault = refusal(error);
      if (fault === undefined) throw error;
      taken.delete(name);
      failures.push({ at: clock(), address, keyDigest, refusal: fault });
      return { ok: false, refusal: fault };
    }
  };

  /** Throws errors of `attempt` that are not the key's fault. */
  return async <T>(trial: Trial<T>): Promise<Tried<T>> => {
    if (taken.has(trial.keyDigest.toString('hex'))) return attempted(trial);
    // Sequential, so that each key is counted before the next one is tried.
    const turn = last.then(async (): Promise<Tried<T>> => {
      const refusal = refused(trial);
      return refusal ? { ok: false, refusal } : attempted(trial);
    });
    last = turn.catch(() => undefined);
    return turn;
  };
};
