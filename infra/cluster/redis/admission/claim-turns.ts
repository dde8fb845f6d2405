import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../../../../core/errors.ts';
import type { AdmitRequest, Admitted } from '../../../../core/ports.ts';
import type { RedisAdmissionOptions } from './admission-options.ts';
import { type Claim, claimCall, freshClaims, refusalOf } from './admission-records.ts';
import type { FencedScripts } from './admission-scripts.ts';
import type { ListedTail, TailReads } from './tail-reads.ts';

/** The longest wait for another attempt's claim. */
const WAIT_MS = 5_000;
/** When a dead process's pending claim can be taken over: after the longest wait, before clients give up. */
export const HOLD_MS = 8_000;
/** The lifetime of a reservation: longer than an append takes. A dead process's reservation then expires. */
const RESERVE_MS = 60_000;

/** The state that a process keeps of its own attempt until it is remembered. */
export interface Attempt {
  org: string;
  /** Unix milliseconds. */
  recordedAt: number;
  /** By turn id. */
  claims: Map<string, Claim>;
  /** The version of Redis's data when the attempt claimed. */
  version: string;
  /** On the clock of `performance.now()`. */
  startedAt: number;
}

/** The refusal messages, by the cause. */
const FULL = {
  tail: 'The projections are too far behind to take more turns.',
  memory: 'Redis is too full to take more turns.',
};

/** By turn id: whether the recall index has the turn, and whether with a fragment. */
type Indexed = Record<string, 'active' | 'inactive' | 'unknown'>;

/**
 * Repeats the script `admit` until it decides, and looks up in between the turns that the script could not
 * judge. Writes the claims and the version they were made under to the attempt.
 */
export const makeClaim = (
  {
    gate,
    isIndexed,
    mostTail,
    mostTailBytes,
    holdMs = HOLD_MS,
    reserveMs = RESERVE_MS,
  }: RedisAdmissionOptions,
  { tryRun }: Pick<FencedScripts, 'tryRun'>,
  tails: Pick<TailReads, 'read'>,
) => {
  const limits = { mostTail, mostTailBytes, holdMs, reserveMs };

  const lookUp = async ({ org, user }: AdmitRequest, ids: readonly string[]): Promise<Indexed> => {
    const found = await isIndexed(org, user!, ids);
    const stateOf = (active: boolean | undefined) =>
      active === undefined ? 'unknown' : active ? 'active' : 'inactive';
    return Object.fromEntries(ids.map(id => [id, stateOf(found.get(id))]));
  };

  return async (id: string, request: AdmitRequest, attempt: Attempt): Promise<Admitted> => {
    const deadline = performance.now() + WAIT_MS;
    let indexed: Indexed = {};
    for (let waited = 10; ; ) {
      request.signal?.throwIfAborted();
      const generation = gate.generation();
      attempt.version = generation.version;
      const ask = { attempt: id, ...claimCall(request, generation.facts.lookUpUntil), indexed, ...limits };
      const reply = await tryRun('admit', request.org, ask);
      if (!reply) {
        if (performance.now() > deadline) throw unavailable('Redis is being rebuilt from the log.');
        indexed = {};
        continue;
      }
      const [kind, first, second, tail] = reply;
      switch (kind) {
        case 'admitted':
          attempt.claims = freshClaims(first as string[], request);
          return {
            kind: 'admitted',
            attempt: id,
            fresh: attempt.claims,
            inactive: new Set(second as string[]),
            tail: request.recall ? await tails.read(request.recall, attempt.version, tail as ListedTail) : [],
          };
        case 'refused':
          return refusalOf(first, second, request);
        case 'full':
          throw unavailable(FULL[first as keyof typeof FULL], undefined, 2);
        case 'wait':
          if (performance.now() + waited > deadline)
            throw unavailable('Another request is still writing the same turns.');
          await pause(waited);
          waited = Math.min(waited * 2, 100);
          break;
        default:
          // `unsure`. The lookup is outside the atomic step: a turn written meanwhile has a claim at the next
          // attempt.
          indexed = { ...indexed, ...(await lookUp(request, first as string[])) };
      }
    }
  };
};
