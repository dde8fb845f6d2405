import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError, unavailable } from '../../../services/core/errors.ts';
import type {
  Admission,
  AdmitRequest,
  Admitted,
  Logged,
  Positions,
  Remembered,
  Scope,
  TailTurn,
  Tokens,
} from '../../../services/core/ports.ts';
import {
  CLAIM_MS,
  dayNumber,
  loggedEvent,
  rememberedJob,
  rememberedRecall,
  rememberedTurn,
} from './admission-records.ts';
import { beginOrganization, type Reply, runScript } from './admission-scripts.ts';
import type { Generation, RedisGate } from './gate.ts';
import { keysOfOrganization, nameInKey } from './names.ts';

const WAIT_MS = 5_000;
/** A pending claim of a process that died is taken over then: later than anybody waits, earlier than clients give up. */
const HOLD_MS = 8_000;
/** An append takes no longer; what a dead process reserved comes back then. */
const RESERVE_MS = 60_000;
/** Nobody who knows of a pending claim comes back later. */
const PENDING_MS = 3_600_000;
/** Redis may be gone for a moment between the append and `remember`: the answer is not to be lost for it. */
const REMEMBER_FOR_MS = 10_000;

/** What a rebuild tells every process (redis-rebuild.ts). */
export interface RebuiltFrom {
  /** The positions that the projections had: what lies below is shown and billed. */
  floor: Positions;
  /** Unix milliseconds. Until then an unclaimed turn may be a known one whose claim was lost. */
  lookUpUntil: number;
}

export interface RedisAdmissionOptions {
  gate: Pick<RedisGate<RebuiltFrom>, 'redis' | 'generation' | 'confirm' | 'closedAt'>;
  namespace: string;
  /** Unix milliseconds. */
  clock: () => number;
  /** The turns that the recall index has, and whether they have a fragment; realtime. */
  isIndexed: (org: string, user: string, ids: readonly string[]) => Promise<ReadonlyMap<string, boolean>>;
  /** Partitions of the topic `turns`. */
  partitions: number;
  /** Turns in the tail of an organization, from which on its writes are `unavailable`. */
  mostTail: number;
  /** Milliseconds, for tests. */
  holdMs?: number;
  reserveMs?: number;
  rememberForMs?: number;
}

export interface RedisAdmission extends Admission {
  /**
   * The index shows these events, which end at `positions`: the tail lets go of them, their claims are kept in the name
   * of who appended them, and what was never remembered is billed. Once more changes nothing.
   */
  shown(logged: readonly Logged[], positions: Positions): Promise<void>;
  /** What is billed to these UTC days, one for each; of days that are more than three days ago nothing is known here. */
  billed(org: string, days: readonly string[]): Promise<Tokens[]>;
}

/** What this process has to know of an attempt of its own to remember it. */
interface Attempt {
  org: string;
  /** Unix milliseconds. */
  recordedAt: number;
  claims: Map<string, { tokens: number; recordedAt: number; taken: boolean }>;
  epoch: string;
  /** By `performance.now()`. */
  startedAt: number;
}

const isOutage = (error: unknown): boolean => error instanceof ServiceError && error.code === 'unavailable';

const within = ({ session, since, until }: Scope, turn: TailTurn): boolean =>
  (session === undefined || turn.session === session) &&
  (since === undefined || turn.timestamp >= since) &&
  (until === undefined || turn.timestamp <= until);

const turnsOf = (values: unknown, scope: Scope): TailTurn[] =>
  (values as string[]).map(text => JSON.parse(text) as TailTurn).filter(turn => within(scope, turn));

/** Of a fresh turn: its id, the instant to record it at, and whether it was taken over. */
const freshOf = function* (flat: readonly string[]): Generator<[string, number, boolean]> {
  for (let i = 0; i < flat.length; i += 3) yield [flat[i]!, Number(flat[i + 1]), flat[i + 2] === '1'];
};

/**
 * Admission that any number of processes share. A script before the append and one after it decide everything, each
 * atomic in one organization's slot and fenced by the epoch of the last rebuild: one that meets a Redis which isn't what
 * this process believes changes nothing. Claims are fenced by their attempt; the log's first copy has the last word.
 */
export const openRedisAdmission = (options: RedisAdmissionOptions): RedisAdmission => {
  const { gate, namespace, clock, isIndexed, partitions, mostTail } = options;
  const { holdMs = HOLD_MS, reserveMs = RESERVE_MS, rememberForMs = REMEMBER_FOR_MS } = options;
  const attempts = new Map<string, Attempt>();

  /** By what its keys begin with: after a rebuild all calls of an organization come here at once, and one is enough. */
  const beginnings = new Map<string, Promise<void>>();
  const begin = (prefix: string, { epoch, facts }: Generation<RebuiltFrom>): Promise<void> => {
    const make = async (): Promise<void> => {
      await gate.confirm();
      if (gate.generation().epoch === epoch) await beginOrganization(gate.redis, prefix, epoch, facts.floor);
    };
    const under = beginnings.get(prefix) ?? make().finally(() => beginnings.delete(prefix));
    beginnings.set(prefix, under);
    return under;
  };

  /** Undefined when the organization had to be begun: whoever found something out before must find it out again. */
  const tryRun = async (
    name: Parameters<typeof runScript>[0],
    org: string,
    ask: object,
    values?: readonly string[],
  ): Promise<Reply | undefined> => {
    const generation = gate.generation();
    const prefix = keysOfOrganization(namespace, org);
    const call = { ...ask, epoch: generation.epoch, now: clock() };
    const reply = await runScript(name, gate.redis, prefix, call, values);
    if (reply[0] !== 'stale') return reply;
    await begin(prefix, generation);
    return undefined;
  };

  const run = async (...call: Parameters<typeof tryRun>): Promise<Reply> => {
    for (let tries = 0; tries < 3; tries++) {
      const reply = await tryRun(...call);
      if (reply) return reply;
    }
    throw unavailable('Redis is being rebuilt from the log.', undefined, 2);
  };

  const release = async (id: string): Promise<void> => {
    const attempt = attempts.get(id);
    if (!attempt) return;
    attempts.delete(id);
    try {
      await run('release', attempt.org, { attempt: id, ids: [...attempt.claims.keys()] });
    } catch (error) {
      // What is not given back now is when its time is over.
      if (!isOutage(error)) throw error;
    }
  };

  const claim = async (id: string, request: AdmitRequest, attempt: Attempt): Promise<Admitted> => {
    const { org, user, recordedAt, caps, claims, tokensIn, recall } = request;
    const tokens = new Map(claims.map(each => [each.id, each.tokens]));
    const indexed: Record<string, 'active' | 'inactive' | 'unknown'> = {};
    const deadline = performance.now() + WAIT_MS;
    for (let waited = 10; ; ) {
      const now = clock();
      const { epoch, facts } = gate.generation();
      attempt.epoch = epoch;
      const rebuilt = now < facts.lookUpUntil;
      const reply = await tryRun('admit', org, {
        attempt: id,
        recordedAt,
        capIn: caps.tokensIn,
        capOut: caps.tokensOut,
        tokensIn,
        claims: claims.map(({ timestamp, ...turn }) => ({
          ...turn,
          old: rebuilt || timestamp < now - CLAIM_MS,
        })),
        indexed,
        recall: recall && {
          user: recall.user === undefined ? undefined : nameInKey(recall.user),
          past: recall.asOf !== undefined,
        },
        mostTail,
        holdMs,
        reserveMs,
        pendingMs: Math.max(PENDING_MS, holdMs),
      });
      if (!reply) {
        if (performance.now() > deadline) throw unavailable('Redis is being rebuilt from the log.');
        for (const turn of Object.keys(indexed)) delete indexed[turn];
        continue;
      }
      const [kind, first, second, third] = reply;
      if (kind === 'wait') {
        if (performance.now() + waited > deadline) {
          throw unavailable('Another request is still writing the same turns.');
        }
        await pause(waited);
        waited = Math.min(waited * 2, 100);
      } else if (kind === 'unsure') {
        // Asked for outside of the step: one that is written meanwhile has a claim when the step is tried again.
        const ids = first as string[];
        const found = await isIndexed(org, user!, ids);
        for (const turn of ids) {
          const active = found.get(turn);
          indexed[turn] = active === undefined ? 'unknown' : active ? 'active' : 'inactive';
        }
      } else if (kind === 'full') {
        throw unavailable('The projections are too far behind to take more turns.', undefined, 2);
      } else if (kind === 'refused') {
        const cap = first as Extract<Admitted, { kind: 'refused' }>['cap'];
        const limit = cap === 'tokens_in_daily' ? caps.tokensIn : caps.tokensOut;
        return { kind: 'refused', cap, used: Number(second), limit };
      } else {
        for (const [turn, at, taken] of freshOf(first as string[])) {
          attempt.claims.set(turn, { tokens: tokens.get(turn)!, recordedAt: at, taken });
        }
        attempts.set(id, attempt);
        return {
          kind: 'admitted',
          attempt: id,
          fresh: new Map([...attempt.claims].map(([turn, each]) => [turn, each.recordedAt])),
          inactive: new Set(second as string[]),
          tail: recall ? turnsOf(third, recall) : [],
        };
      }
    }
  };

  const remembering = async (id: string, attempt: Attempt, { turns, job, recall }: Remembered) => {
    const own = turns.filter(turn => attempt.claims.has(turn.id));
    // After a rebuild a turn is whose copy the log has first, although another attempt may have told of it before: it
    // had taken this one's claim over, or this one its. Who can't rule that out tells nothing.
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
        return await claim(id, request, attempt);
      } catch (error) {
        // Only the answer may be lost: then what it claimed is given back as soon as Redis takes it.
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
      return turnsOf(turns, scope);
    },

    erase: async (org, user, keyIds) => {
      const places = Array.from({ length: partitions }, (_, partition) => `turns/${partition}`);
      await run('erase', org, { user: nameInKey(user), keyIds, places });
    },

    job: async (org, id) => {
      const [, job] = await run('job', org, { id });
      return job ? (JSON.parse(job as string) as Remembered['job']) : undefined;
    },

    shown: async (logged, positions) => {
      const billable = logged.filter(({ topic }) => topic === 'turns' || topic === 'usage');
      const organizations = Map.groupBy(billable, event => event.org);
      await Promise.all(
        [...organizations].map(([org, events]) =>
          run('shown', org, { events: events.flatMap(event => loggedEvent(event) ?? []), positions }),
        ),
      );
    },

    billed: async (org, days) => {
      const [, found] = await run('billed', org, { days: days.map(dayNumber) });
      return (found as [string | null, string | null][]).map(([tokensIn, tokensOut]) => ({
        tokensIn: Number(tokensIn ?? 0),
        tokensOut: Number(tokensOut ?? 0),
      }));
    },
  };
};
