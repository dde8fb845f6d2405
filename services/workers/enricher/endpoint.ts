import { setTimeout as sleep } from 'node:timers/promises';
import type { EndpointFault } from '../../../core/ports.ts';

/** The first pause before an unreachable endpoint is probed again. It doubles after each probe. */
const FIRST_PAUSE_MS = 1_000;
/** The longest pause between probes, whatever `Retry-After` requests. */
export const LONGEST_PAUSE_MS = 60_000;
/** How often a waiting caller checks whether another caller's probe has succeeded. */
const LOOK_MS = 1_000;

/** Between half of `ms` and `ms`, so that callers that failed together don't retry together. */
export const jittered = (ms: number, random: () => number): number => ms * (0.5 + random() / 2);

export interface EndpointPorts {
  /** Sends a request that any working endpoint answers. Returns its fault, or undefined when it answered. */
  probe: (signal: AbortSignal) => Promise<EndpointFault | undefined>;
  /** Receives the reason while the endpoint is unreachable, and null when it is back. */
  onChange: (awayFor: string | null) => void;
  random: () => number;
  /** A factor for pauses, for tests; default 1. */
  pace?: number | undefined;
}

export interface Endpoint {
  /** Probes the endpoint. After false it counts as unreachable. */
  answers(signal: AbortSignal): Promise<boolean>;
  /** Marks the endpoint as unreachable because of this fault. */
  leave(fault: EndpointFault): void;
  /**
   * Waits, without a limit, until it is reachable. Resolves to its outages so far; rejects when `signal` is
   * aborted.
   */
  back(signal: AbortSignal): Promise<number>;
}

/**
 * Whether an endpoint is reachable, shared by all its callers. While it is not, one of the waiting callers
 * probes it at growing intervals, and the others wait for the result.
 */
export const makeEndpoint = ({ probe, onChange, random, pace = 1 }: EndpointPorts): Endpoint => {
  let away: { pauseMs: number; askAt: number } | undefined;
  let departures = 0;

  const leave = ({ reason, retryAfterMs = 0 }: EndpointFault): void => {
    if (!away) departures++;
    const pauseMs = away ? Math.min(away.pauseMs * 2, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS;
    const wait = Math.max(jittered(pauseMs, random), Math.min(retryAfterMs, LONGEST_PAUSE_MS));
    away = { pauseMs, askAt: performance.now() + wait * pace };
    onChange(reason);
  };

  const comeBack = (): void => {
    if (away) onChange(null);
    away = undefined;
  };

  return {
    answers: async signal => {
      if (away) return false;
      const fault = await probe(signal);
      if (!fault) comeBack();
      // Another caller may have marked it unreachable meanwhile: that is one outage, not several in a row.
      else if (!away) leave(fault);
      return fault === undefined;
    },
    leave: fault => {
      if (!away) leave(fault);
    },
    back: async signal => {
      signal.throwIfAborted();
      while (away) {
        const wait = away.askAt - performance.now();
        if (wait > 0) {
          await sleep(Math.min(wait, LOOK_MS), undefined, { signal });
          continue;
        }
        // The other callers keep waiting, for as long as an answer may take.
        away.askAt = performance.now() + LONGEST_PAUSE_MS;
        const fault = await probe(signal).catch(error => {
          // The probing caller was aborted: the next one probes.
          if (away) away.askAt = performance.now();
          throw error;
        });
        if (fault) leave(fault);
        else comeBack();
      }
      return departures;
    },
  };
};
