import { setTimeout as sleep } from 'node:timers/promises';
import type { EndpointFault } from '../../../core/ports.ts';
import { jittered, LONGEST_PAUSE_MS, makeEndpoint } from './endpoint.ts';
import { makeLimit } from './limit.ts';

/** Attempts before probing the endpoint. Back-off doubles. */
const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 500;
/**
 * How many outages a request's attempts may end in before it is given up: the request itself may cause them.
 */
const MOST_OUTAGES = 10;
/** How often a request may be rate-limited while short ones pass: it may be larger than any allowance. */
const MOST_LIMITED = 60;

/** The counters and state, since the start, of what asks an external service. */
export interface ServiceCounts {
  requests: number;
  /** Requests without a usable answer. */
  faults: number;
  /** Turns that were given up. */
  givenUp: number;
  /** The reason for waiting; null while it doesn't wait. */
  waitsFor: string | null;
}

/** The result of one attempt: what was asked for, an unusable answer, or no answer. */
export type Outcome<Found> =
  | { kind: 'found'; found: Found }
  | { kind: 'unusable'; reason: string }
  | EndpointFault;

export interface PatiencePorts<Asked, Found> {
  /** One request; rejects only when `signal` is aborted. */
  ask: (asked: Asked, signal: AbortSignal) => Promise<Outcome<Found>>;
  /** Whether the answer is no longer wanted: the request may have waited for hours, so this is asked last. */
  isStale?: ((asked: Asked) => boolean) | undefined;
  /** Any working endpoint answers it; the content of the answer is ignored. */
  probe: Asked;
  /** Requests at once. */
  concurrency: number;
  /** Called after each change. */
  onState: (state: ServiceCounts) => void;
  random?: (() => number) | undefined;
  /** A factor for pauses, for tests. */
  pace?: number | undefined;
}

export interface Patience<Asked, Found> {
  /**
   * Retries until the endpoint answers or the request itself is proven to be the cause. An unusable answer is
   * caused by the request or the model. A missing answer may be caused by the request or the endpoint: then
   * the endpoint is probed. If it answers, the request is to blame; if not, the endpoint is unreachable, and
   * the request waits until it is back, without a limit (docs/internals/decisions/facts/0011). Undefined when
   * the request has become stale meanwhile. Rejects when `signal` is aborted.
   */
  ask(asked: Asked, signal: AbortSignal): Promise<{ found: Found } | { fault: string } | undefined>;
  /** Counts a turn that was given up. */
  giveUp(): void;
}

export const makePatience = <Asked, Found>({
  ask,
  isStale = () => false,
  probe,
  concurrency,
  onState,
  random = Math.random,
  pace = 1,
}: PatiencePorts<Asked, Found>): Patience<Asked, Found> => {
  const state: ServiceCounts = { requests: 0, faults: 0, givenUp: 0, waitsFor: null };
  const changed = (changes: Partial<ServiceCounts>): void => onState({ ...Object.assign(state, changes) });
  const limited = makeLimit(concurrency);

  const attempt = async (asked: Asked, signal: AbortSignal): Promise<Outcome<Found> | undefined> => {
    const outcome = await limited(async () => {
      signal.throwIfAborted();
      return isStale(asked) ? undefined : ask(asked, signal);
    });
    if (!outcome) return undefined;
    const faults = outcome.kind === 'found' ? state.faults : state.faults + 1;
    changed({ requests: state.requests + 1, faults });
    return outcome;
  };

  const endpoint = makeEndpoint({
    probe: async signal => {
      const outcome = await attempt(probe, signal);
      return outcome && isFault(outcome) ? outcome : undefined;
    },
    onChange: waitsFor => changed({ waitsFor }),
    random,
    pace,
  });

  const pauseAfter = (attempts: number, outcome: Outcome<Found>): number => {
    const asked = (isFault(outcome) && outcome.retryAfterMs) || 0;
    return Math.min(asked, LONGEST_PAUSE_MS) + jittered(FIRST_PAUSE_MS * 2 ** (attempts - 1), random);
  };

  return {
    ask: async (asked, signal) => {
      for (let attempts = 0, outages = 0, limited = 0, refusals = 0, known = 0; ; ) {
        // Attempts that failed before or during an outage say nothing about the request.
        const departures = await endpoint.back(signal);
        if (departures !== known) attempts = 0;
        known = departures;
        const outcome = await attempt(asked, signal);
        if (!outcome) return undefined;
        if (outcome.kind === 'found') return { found: outcome.found };
        attempts++;
        if (attempts < ATTEMPTS && outcome.kind !== 'refused')
          await sleep(pauseAfter(attempts, outcome) * pace, undefined, { signal });
        // A rate limit is not the request's fault, unless short ones pass repeatedly and it does not.
        else if (outcome.kind === 'limited' && ++limited <= MOST_LIMITED) endpoint.leave(outcome);
        // The API key may have been fixed between the refusal and the probe: try once more.
        else if (outcome.kind === 'refused' && refusals === 0 && (await endpoint.answers(signal))) refusals++;
        else if (!isFault(outcome) || ++outages > MOST_OUTAGES || (await endpoint.answers(signal)))
          return { fault: outcome.reason };
      }
    },
    giveUp: () => changed({ givenUp: state.givenUp + 1 }),
  };
};

/** Whether there was no answer. */
const isFault = <Found>(outcome: Outcome<Found>): outcome is EndpointFault =>
  outcome.kind !== 'found' && outcome.kind !== 'unusable';
