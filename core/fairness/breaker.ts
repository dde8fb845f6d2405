import type { EndpointFault } from '../ports/models/endpoint-fault.ts';

/** Faults in a row after which the endpoint is left alone: one slow answer is none. */
const MOST_IN_A_ROW = 3;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

export interface Breaker {
  /** Whether to ask now. While the endpoint is left alone, one call after each pause may, to find out whether it is back. */
  mayAsk(): boolean;
  /** Reports the outcome of a call: undefined for an answer. */
  ended(fault: EndpointFault | undefined): void;
}

/**
 * Leaves an endpoint alone that doesn't answer, so that a call that can do without it need not wait for it each time. The pause
 * doubles with each fault; one that the endpoint asks for is kept to, up to a minute.
 *
 * @param clock of `performance.now()`
 */
export const makeBreaker = (clock: () => number = () => performance.now()): Breaker => {
  let inARow = 0;
  let pauseMs = FIRST_PAUSE_MS;
  let askAt = Number.NEGATIVE_INFINITY;
  return {
    mayAsk: () => {
      if (inARow < MOST_IN_A_ROW && clock() >= askAt) return true;
      if (clock() < askAt) return false;
      // The others wait for the outcome of this call.
      askAt = clock() + pauseMs;
      return true;
    },
    ended: fault => {
      if (!fault) {
        inARow = 0;
        pauseMs = FIRST_PAUSE_MS;
        askAt = Number.NEGATIVE_INFINITY;
        return;
      }
      inARow++;
      const asked = Math.min(fault.retryAfterMs ?? 0, LONGEST_PAUSE_MS);
      if (inARow < MOST_IN_A_ROW) {
        if (asked > 0) askAt = clock() + asked;
        return;
      }
      askAt = clock() + Math.max(pauseMs, asked);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    },
  };
};
