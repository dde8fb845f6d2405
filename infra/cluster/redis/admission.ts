import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../../../services/core/errors.ts';
import { partitionName } from '../../../services/core/log/positions.ts';
import type { Admission, Logged, Positions, Remembered, Tokens } from '../../../services/core/ports.ts';
import { type Attempt, HOLD_MS, makeClaim, tailOf } from './admission-claim.ts';
import type { RedisAdmissionOptions } from './admission-options.ts';
import {
  type Counter,
  dayNumber,
  loggedEvent,
  rememberedJob,
  rememberedRecall,
  rememberedTurn,
  tokensOf,
} from './admission-records.ts';
import { makeFencedScripts } from './fenced-scripts.ts';
import { nameInKey } from './names.ts';

export type { RebuiltFrom, RedisAdmissionOptions } from './admission-options.ts';

/** Redis may be unreachable for a moment between the append and `remember`: the answer is kept until it is back. */
const REMEMBER_FOR_MS = 10_000;

export interface RedisAdmission extends Admission {
  /**
   * The index has settled these events, which end at `positions`: the tail drops them, their claims are kept
   * for the attempts that appended them, and what was never remembered is billed. Idempotent.
   */
  settle(logged: readonly Logged[], positions: Positions): Promise<void>;
  /** What is billed to each of these UTC days; days more than three days ago are unknown here. */
  billed(org: string, days: readonly string[]): Promise<Tokens[]>;
}

const isOutage = (error: unknown): boolean => error instanceof ServiceError && error.code === 'unavailable';

/**
 * Admission that any number of processes share. One script before the append and one after it decide
 * everything, each atomic in one organization's slot and fenced by the epoch of the last rebuild: with
 * another epoch a script changes nothing. Claims are fenced by their attempt; the log's first copy decides.
 */
export const openRedisAdmission = (options: RedisAdmissionOptions): RedisAdmission => {
  const { gate, partitions, holdMs = HOLD_MS, rememberForMs = REMEMBER_FOR_MS } = options;
  const scripts = makeFencedScripts(options);
  const { run } = scripts;
  const claim = makeClaim(options, scripts);
  const attempts = new Map<string, Attempt>();

  const release = async (id: string): Promise<void> => {
    const attempt = attempts.get(id);
    if (!attempt) return;
    attempts.delete(id);
    try {
      await run('release', attempt.org, { attempt: id, ids: [...attempt.claims.keys()] });
    } catch (error) {
      // If the release fails, the reservation expires by itself.
      if (!isOutage(error)) throw error;
    }
  };

  const remembering = async (id: string, attempt: Attempt, { turns, job, recall }: Remembered) => {
    const own = turns.filter(turn => attempt.claims.has(turn.id));
    // After a rebuild a turn belongs to the attempt whose copy is first in the log, even if another attempt
    // remembered it before: one of the two had taken over the other's claim. An attempt that can't rule that
    // out claims nothing.
    const lost = gate.generation().epoch !== attempt.epoch;
    const wasTaken = gate.closedAt() > attempt.startedAt + holdMs;
    const named = new Set(own.map(turn => turn.id));
    const [, kept] = await run(
      'remember',
      attempt.org,
      {
        attempt: id,
        recordedAt: attempt.recordedAt,
        turns: own.map(turn => {
          const { tokens, recordedAt, taken } = attempt.claims.get(turn.id)!;
          return { ...rememberedTurn(turn, tokens, recordedAt), contested: lost && (taken || wasTaken) };
        }),
        unused: [...attempt.claims.keys()].filter(turn => !named.has(turn)),
        job: job && rememberedJob(job),
        recall: recall && rememberedRecall(recall),
      },
      [...own, ...(job ? [job] : [])].map(value => JSON.stringify(value)),
    );
    return new Set(kept as string[]);
  };

  return {
    admit: async request => {
      const id = randomBytes(9).toString('base64url');
      const { org, recordedAt } = request;
      const startedAt = performance.now();
      const attempt: Attempt = { org, recordedAt, claims: new Map(), epoch: '', startedAt };
      try {
        const answer = await claim(id, request, attempt);
        if (answer.kind === 'admitted') attempts.set(id, attempt);
        return answer;
      } catch (error) {
        // The claim may have succeeded although its answer was lost: release it.
        if (isOutage(error)) {
          for (const { id: turn, tokens } of request.claims)
            attempt.claims.set(turn, { tokens, recordedAt, taken: false });
          attempts.set(id, attempt);
          void release(id).catch(() => {});
        }
        throw error;
      }
    },

    remember: async (id, remembered) => {
      const attempt = attempts.get(id);
      if (!attempt) return new Set();
      const deadline = performance.now() + rememberForMs;
      for (;;) {
        try {
          const own = await remembering(id, attempt, remembered);
          attempts.delete(id);
          return own;
        } catch (error) {
          if (!isOutage(error) || performance.now() > deadline) throw error;
          await pause(200);
        }
      }
    },

    release,

    tail: async scope => {
      const user = scope.user === undefined ? undefined : nameInKey(scope.user);
      const [, turns] = await run('tail', scope.org, { user });
      return tailOf(turns, scope);
    },

    erase: async (org, user, keyIds) => {
      const names = Array.from({ length: partitions }, (_, partition) =>
        partitionName({ topic: 'turns', partition }),
      );
      await run('erase', org, { user: nameInKey(user), keyIds, partitions: names });
    },

    job: async (org, id) => {
      const [, job] = await run('job', org, { id });
      return job ? (JSON.parse(job as string) as Remembered['job']) : undefined;
    },

    settle: async (logged, positions) => {
      const billable = logged.filter(({ topic }) => topic === 'turns' || topic === 'usage');
      const organizations = Map.groupBy(billable, event => event.org);
      await Promise.all(
        [...organizations].map(([org, events]) =>
          run('settled', org, { events: events.flatMap(event => loggedEvent(event) ?? []), positions }),
        ),
      );
    },

    billed: async (org, days) => {
      const [, found] = await run('billed', org, { days: days.map(dayNumber) });
      return (found as Counter[]).map(tokensOf);
    },
  };
};
