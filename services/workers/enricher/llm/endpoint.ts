import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatFault } from '../../../core/ports.ts';

/** An endpoint that answers nothing is asked again after so long at first, and twice as long after each time. */
const FIRST_PAUSE_MS = 1_000;
/** Nor is it left alone longer, whatever it asks for. */
export const LONGEST_PAUSE_MS = 60_000;
/** Whoever waits looks this often whether another one has found it back. */
const LOOK_MS = 1_000;

/** A pause of half of it to all of it: who failed together shall not come back together. */
export const jittered = (ms: number, random: () => number): number => ms * (0.5 + random() / 2);

export interface EndpointPorts {
  /** Asks something that any endpoint in order answers; its fault, or undefined when it answered. */
  probe: (signal: AbortSignal) => Promise<ChatFault | undefined>;
  /** The reason while it is away; null when it is back. */
  onChange: (awayFor: string | null) => void;
  random: () => number;
  /** Of pauses, for tests; default 1. */
  pace?: number | undefined;
}

export interface Endpoint {
  /** Asks whether it answers at all. With false it is away from here on. */
  answers(signal: AbortSignal): Promise<boolean>;
  /** It is away, by this fault. */
  leave(fault: ChatFault): void;
  /** Resolves when it is not away, without a limit; with how often it has been so far. Rejects when `signal` is aborted. */
  back(signal: AbortSignal): Promise<number>;
}

/**
 * Whether an endpoint is away, for all that ask it. While it is, one of those who wait asks it in growing intervals,
 * and the others wait for what that one finds.
 */
export const makeEndpoint = ({ probe, onChange, random, pace = 1 }: EndpointPorts): Endpoint => {
  let away: { pauseMs: number; askAt: number } | undefined;
  let departures = 0;

  const leave = ({ reason, retryAfterMs = 0 }: ChatFault): void => {
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
      // Others may have found it away meanwhile: that is one fault and not several in a row.
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
        // The others wait on, for as long as an answer may take.
        away.askAt = performance.now() + LONGEST_PAUSE_MS;
        const fault = await probe(signal).catch(error => {
          // Who asked is no longer interested: the next one asks.
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
