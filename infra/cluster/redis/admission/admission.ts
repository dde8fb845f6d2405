import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isOutage } from '../../../../core/errors.ts';
import { DEFAULT_OPTIONS } from '../../../../core/ports/admission/admission.ts';
import type { Admission, Logged, Positions, Remembered, Tokens } from '../../../../core/ports.ts';
import { nameInKey } from '../key-names.ts';
import type { RedisAdmissionOptions } from './admission-options.ts';
import {
  type Counter,
  claimsToDrop,
  dayNumber,
  entriesOf,
  rememberedJob,
  rememberedRecall,
  rememberedTurn,
  reportedTokens,
  settledCall,
  tokensOf,
} from './admission-records.ts';
import { type FencedScripts, makeFencedScripts } from './admission-scripts.ts';
import { type Attempt, HOLD_MS, makeClaim } from './claim-turns.ts';
import { makeErase } from './erase-tail.ts';
import { type ListedTail, makeTailReads, type TailReads } from './tail-reads.ts';

export type { RebuiltFrom, RedisAdmissionOptions } from './admission-options.ts';

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
      await run('release', attempt.org, { attempt: id, claims: claimsToDrop(attempt.claims) });
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
    const remembered = own.map(turn => {
      const { tokens, recordedAt, taken, bucket = false } = attempt.claims.get(turn.id)!;
      return { ...rememberedTurn(turn, tokens, recordedAt), bucket, contested: lost && (taken || wasTaken) };
    });
    const ask = {
      attempt: id,
      recordedAt: attempt.recordedAt,
      turns: entriesOf(remembered),
      unused: claimsToDrop([...attempt.claims].filter(([turn]) => !named.has(turn))),
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
