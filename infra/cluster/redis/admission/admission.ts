import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isOutage, unavailable } from '../../../../core/errors.ts';
import { partitionName } from '../../../../core/log/positions.ts';
import { DEFAULT_OPTIONS } from '../../../../core/ports/admission/admission.ts';
import type {
  Admission,
  AdmitRequest,
  Admitted,
  Logged,
  Positions,
  Remembered,
  Tokens,
} from '../../../../core/ports.ts';
import { HOUR_MS } from '../../../../core/time.ts';
import { nameInKey } from '../names.ts';
import type { RedisAdmissionOptions } from './admission-options.ts';
import {
  type Claim,
  type Counter,
  claimCall,
  dayNumber,
  freshClaims,
  refusalOf,
  rememberedJob,
  rememberedRecall,
  rememberedTurn,
  reportedTokens,
  settledCall,
  tokensOf,
} from './admission-records.ts';
import { type FencedScripts, makeFencedScripts } from './admission-scripts.ts';
import { type ListedTail, makeTailReads, type TailReads } from './tail-reads.ts';

export type { RebuiltFrom, RedisAdmissionOptions } from './admission-options.ts';

/** The longest wait for another attempt's claim. */
const WAIT_MS = 5_000;
/** When a dead process's pending claim can be taken over: after the longest wait, before clients give up. */
const HOLD_MS = 8_000;
/** The lifetime of a reservation: longer than an append takes. A dead process's reservation then expires. */
const RESERVE_MS = 60_000;
/** The lifetime of a pending claim: it outlasts every process that knows of it. */
const PENDING_MS = HOUR_MS;
/** How long `remember` is retried: Redis may be unreachable for a moment after the append. */
const REMEMBER_FOR_MS = 10_000;

export interface RedisAdmission extends Admission {
  /**
   * Handles events that the index has settled and that end at `positions`: removes them from the tail, keeps
   * their claims for the attempts that appended them, and bills events that were never remembered.
   * Idempotent.
   */
  settle(logged: readonly Logged[], positions: Positions): Promise<void>;
  /** Returns the tokens billed to each of these UTC days; days more than three days ago are unknown here. */
  billed(org: string, days: readonly string[]): Promise<Tokens[]>;
}

/** The state that a process keeps of its own attempt until it is remembered. */
interface Attempt {
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

/**
 * Opens admission, shared by any number of processes. One script before the append and one after it make all
 * decisions, each atomic in one organization's slot and fenced by the epoch of the last rebuild: under
 * another epoch a script changes nothing. Claims are fenced by their attempt; the first copy in the log
 * decides.
 */
export const openRedisAdmission = (options: RedisAdmissionOptions): RedisAdmission => {
  const { tail, rememberForMs = REMEMBER_FOR_MS } = options;
  const scripts = makeFencedScripts(options);
  const { run } = scripts;
  const tails = makeTailReads(tail, run);
  const claim = makeClaim(options, scripts, tails);
  const rememberOnce = makeRememberOnce(options, scripts, tails);
  const attempts = new Map<string, Attempt>();

  const release = async (id: string): Promise<void> => {
    const attempt = attempts.get(id);
    if (!attempt) return;
    attempts.delete(id);
    try {
      await run('release', attempt.org, { attempt: id, ids: [...attempt.claims.keys()] });
    } catch (error) {
      // If the release fails, the reservation expires.
      if (!isOutage(error)) throw error;
    }
  };

  return {
    admit: async request => {
      const id = randomBytes(9).toString('base64url');
      const { org, recordedAt } = request;
      const startedAt = performance.now();
      const attempt: Attempt = { org, recordedAt, claims: new Map(), version: '', startedAt };
      try {
        const answer = await claim(id, request, attempt);
        if (answer.kind === 'admitted') attempts.set(id, attempt);
        return answer;
      } catch (error) {
        // The claim may have succeeded although its answer was lost, so release it.
        if (isOutage(error)) {
          for (const { id: turn, tokens } of request.claims)
            attempt.claims.set(turn, { ...DEFAULT_OPTIONS, tokens, recordedAt, taken: false });
          attempts.set(id, attempt);
          void release(id).catch(() => {});
        }
        throw error;
      }
    },

    remember: async (id, remembered) => {
      const attempt = attempts.get(id);
      if (!attempt) return new Map();
      const deadline = performance.now() + rememberForMs;
      for (;;) {
        try {
          const own = await rememberOnce(id, attempt, remembered);
          attempts.delete(id);
          return own;
        } catch (error) {
          if (!isOutage(error) || performance.now() > deadline) {
            // The turns are in the log: their claims stay pending until the projector reads them there.
            attempts.delete(id);
            throw error;
          }
          await pause(200);
        }
      }
    },

    release,
    leave: async id => void attempts.delete(id),

    tail: async scope => {
      const user = scope.user === undefined ? undefined : nameInKey(scope.user);
      const { version } = options.gate.generation();
      const [, listed] = await run('tail', scope.org, { user });
      return tails.read(scope, version, listed as ListedTail);
    },

    waiting: async (org, user, ids) => {
      if (ids.length === 0) return [];
      const [, turns] = await run('waiting', org, { user: nameInKey(user), ids });
      return tail.openTurns(
        org,
        (turns as (string | null)[]).filter(turn => turn !== null),
      );
    },

    erase: makeErase(options, scripts),

    drop: async (org, user, turnId) => {
      await run('erase', org, { user: nameInKey(user), turns: [turnId], jobs: [] });
    },

    job: async (org, id) => {
      const [, job] = await run('job', org, { id });
      return job ? tail.openJob(org, job as string) : undefined;
    },

    settle: async (logged, positions) => {
      const billable = logged.filter(({ topic }) => topic === 'turns' || topic === 'usage');
      const organizations = Map.groupBy(billable, event => event.org);
      await Promise.all(
        [...organizations].map(([org, its]) => run('settled', org, settledCall(its, positions))),
      );
    },

    billed: async (org, days) => {
      const [, found] = await run('billed', org, { days: days.map(dayNumber) });
      return (found as Counter[]).map(tokensOf);
    },
  };
};

/** The number of tail entries that one script examines; it blocks Redis meanwhile. */
const LOOKED_AT_ONCE = 500;

/**
 * Goes through the organization's tail in steps and drops entries that this process can no longer open. An
 * entry that is appended under a destroyed key and remembered later can't be opened either; it leaves the
 * tail when it is settled.
 */
const makeErase =
  (
    { partitions, tail }: Pick<RedisAdmissionOptions, 'partitions' | 'tail'>,
    { run }: Pick<FencedScripts, 'run'>,
  ): Admission['erase'] =>
  async (org, user) => {
    const ask = { user: nameInKey(user), count: LOOKED_AT_ONCE };
    for (let n = 0; n < partitions; n++) {
      const partition = partitionName({ topic: 'turns', partition: n });
      let cursor = '0';
      do {
        const [, next, entries] = await run('sealed', org, { ...ask, partition, cursor });
        const held = entries as [kind: string, id: string, keyId: string][];
        const destroyed = await tail.destroyedOf(held.map(([, , keyId]) => keyId));
        const dropped = held.filter(([, , keyId]) => destroyed.has(keyId));
        const idsOf = (kind: string): string[] => dropped.filter(([one]) => one === kind).map(([, id]) => id);
        if (dropped.length > 0)
          await run('erase', org, { user: ask.user, turns: idsOf('turn'), jobs: idsOf('job') });
        cursor = next as string;
      } while (cursor !== '0');
    }
  };

/** By turn id: whether the recall index has the turn, and whether with a fragment. */
type Indexed = Record<string, 'active' | 'inactive' | 'unknown'>;

/**
 * Repeats the script `admit` until it decides, and looks up in between the turns that the script could not
 * judge. Writes the claims and the version they were made under to the attempt.
 */
const makeClaim = (
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
  const pendingMs = Math.max(PENDING_MS, holdMs);
  const limits = { mostTail, mostTailBytes, holdMs, reserveMs, pendingMs };

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
          attempt.claims = freshClaims(first as string[]);
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

/** Runs the script `remember`; resolves to the attempt's own turns and the tokens to report for each. */
const makeRememberOnce =
  (
    { gate, tail, holdMs = HOLD_MS }: RedisAdmissionOptions,
    { run }: Pick<FencedScripts, 'run'>,
    tails: Pick<TailReads, 'hold'>,
  ) =>
  async (id: string, attempt: Attempt, { turns, job, recall }: Remembered): Promise<Map<string, number>> => {
    const own = turns.filter(turn => attempt.claims.has(turn.id));
    const values = await tail.seal([...own, ...(job ? [job] : [])]);
    // After a rebuild or a repair, a turn belongs to the attempt whose copy is first in the log, even if
    // another attempt remembered it earlier: one of them had taken over the other's claim. An attempt that
    // can't rule that out claims nothing.
    const { version } = gate.generation();
    const lost = version !== attempt.version;
    const wasTaken = gate.closedAt() > attempt.startedAt + holdMs;
    const named = new Set(own.map(turn => turn.id));
    const ask = {
      attempt: id,
      recordedAt: attempt.recordedAt,
      turns: own.map(turn => {
        const { tokens, recordedAt, taken } = attempt.claims.get(turn.id)!;
        return { ...rememberedTurn(turn, tokens, recordedAt), contested: lost && (taken || wasTaken) };
      }),
      unused: [...attempt.claims.keys()].filter(turn => !named.has(turn)),
      job: job && rememberedJob(job),
      recall: recall && rememberedRecall(recall),
    };
    const at = [...ask.turns, ...[ask.job, ask.recall].filter(each => each !== undefined)];
    const partitions = [...new Set(at.map(({ partition }) => partition))];
    const [, kept] = await run('remember', attempt.org, { ...ask, partitions }, values);
    const reported = reportedTokens(kept as string[]);
    tails.hold(
      version,
      own.filter(turn => reported.has(turn.id)),
    );
    return reported;
  };
