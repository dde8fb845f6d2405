/** Tests wait for a condition with a deadline, never for a time that should be enough. */
import { setTimeout as pause } from 'node:timers/promises';

export { pause };

const LONGEST_PAUSE_MS = 20;
/** As long as a machine may take that has much else to do: only what never comes is waited for so long. */
const WITHIN_MS = 100_000;

/**
 * Polls until `read` returns a value, and returns it. An error counts as no value yet. Rejects after `ms`
 * with `what` was awaited; the cause is the last error.
 */
export const untilDefined = async <T>(
  what: string,
  read: () => Promise<T | undefined> | T | undefined,
  ms = WITHIN_MS,
): Promise<T> => {
  const deadline = performance.now() + ms;
  for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    let fault: unknown;
    try {
      const value = await read();
      if (value !== undefined) return value;
    } catch (error) {
      fault = error;
    }
    if (performance.now() > deadline) throw new Error(`not within ${ms} ms: ${what}`, { cause: fault });
    await pause(pauseMs);
  }
};

/** Polls until the condition holds; as `untilDefined`. */
export const until = async (
  what: string,
  condition: () => Promise<boolean> | boolean,
  ms?: number,
): Promise<void> => {
  await untilDefined(what, async () => (await condition()) || undefined, ms);
};
