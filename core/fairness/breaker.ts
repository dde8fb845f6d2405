import type { EndpointFault } from '../ports/models/endpoint-fault.ts';

/** Consecutive faults after which the endpoint is paused: a single slow answer is not enough. */
const MOST_IN_A_ROW = 3;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

export interface Breaker {
  /**
   * Whether to call the endpoint now. During an outage one call after each pause is let through as a probe.
   */
  mayAsk(): boolean;
  /** Reports the outcome of a call: undefined for an answer. */
  ended(fault: EndpointFault | undefined): void;
}

/**
 * A circuit breaker for an endpoint that callers can do without, so that they don't wait for it while it is
 * down. The pause doubles with each fault; a pause that the endpoint asks for is respected, up to a minute.
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
      // Other calls wait for the outcome of this probe.
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
