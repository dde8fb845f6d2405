import { addressName } from '../../../../core/address-name.ts';
import type { FailureCounter } from '../../../../core/ports.ts';
import { rateLimited } from '../../../../core/rate-limited.ts';

const WINDOW_MS = 60_000;
/** The most names counted at a time; beyond this the oldest is dropped. */
const COUNTED = 10_000;

interface Window {
  /** Unix milliseconds of the first failure. */
  start: number;
  failures: number;
}

/** In memory: enough where there is only one process. */
const makeFailureCounter = (): FailureCounter => {
  const windows = new Map<string, Window>();

  const current = (name: string, now: number): Window | undefined => {
    const window = windows.get(name);
    if (window && now - window.start < WINDOW_MS && now >= window.start) return window;
    windows.delete(name);
    return undefined;
  };

  return {
    add: async (name, most, now) => {
      const window = current(name, now);
      if (!window) {
        if (windows.size >= COUNTED) windows.delete(windows.keys().next().value!);
        windows.set(name, { start: now, failures: 1 });
        return undefined;
      }
      if (window.failures >= most) return window.start + WINDOW_MS - now;
      window.failures++;
      return undefined;
    },
  };
};

export interface Failures {
  /**
   * Counts a refused key; throws `rate_limited` when it exceeds the limit of its address or of its key id.
   */
  add(address: string, keyId: string | undefined, now: number): Promise<void>;
}

/**
 * Limits refused API keys, of exchanges and of calls, to `perMinute` per address and a third of that per key
 * id. Above a limit failures are 429s, and a valid key goes on: otherwise anybody who shares its address or
 * knows its id could lock out its owner.
 */
export const makeFailures = (perMinute: number, counter: FailureCounter = makeFailureCounter()): Failures => {
  const perKeyId = Math.max(1, Math.ceil(perMinute / 3));
  const refuse = (wait: number | undefined): void => {
    if (wait !== undefined) throw rateLimited('Too many API keys were refused; wait and try again.', wait);
  };
  return {
    add: async (address, keyId, now) => {
      refuse(await counter.add(`address ${addressName(address)}`, perMinute, now));
      if (keyId !== undefined) refuse(await counter.add(`key ${keyId}`, perKeyId, now));
    },
  };
};
