import { setTimeout as pause } from 'node:timers/promises';
import { matchesScope } from '../../../projections/recall/tail/matches-scope.ts';
import { unavailable } from '../../../services/core/errors.ts';
import type { AdmitRequest, Admitted, Scope, TailTurn } from '../../../services/core/ports.ts';
import type { RedisAdmissionOptions } from './admission-options.ts';
import { CLAIM_MS } from './admission-records.ts';
import type { Reply } from './admission-scripts.ts';
import type { FencedScripts } from './fenced-scripts.ts';
import { nameInKey } from './names.ts';

const WAIT_MS = 5_000;
/** A pending claim of a dead process can be taken over then: later than anybody waits, before clients give up. */
export const HOLD_MS = 8_000;
/** An append takes no longer; the reservation of a dead process is released then. */
const RESERVE_MS = 60_000;
/** A pending claim outlasts every process that knows of it. */
const PENDING_MS = 3_600_000;

/** What a process has to know of its own attempt to remember it. */
export interface Attempt {
  org: string;
  /** Unix milliseconds. */
  recordedAt: number;
  claims: Map<string, { tokens: number; recordedAt: number; taken: boolean }>;
  epoch: string;
  /** By `performance.now()`. */
  startedAt: number;
}

type Indexed = Record<string, 'active' | 'inactive' | 'unknown'>;

export const tailOf = (values: unknown, scope: Scope): TailTurn[] =>
  (values as string[]).map(text => JSON.parse(text) as TailTurn).filter(turn => matchesScope(scope, turn));

/** Of a fresh turn: its id, the instant to record it at, and whether it was taken over. */
const freshOf = function* (flat: readonly string[]): Generator<[string, number, boolean]> {
  for (let i = 0; i < flat.length; i += 3) yield [flat[i]!, Number(flat[i + 1]), flat[i + 2] === '1'];
};

const refused = (cap: unknown, used: unknown, { caps }: AdmitRequest): Admitted =>
  cap === 'tokens_in_daily'
    ? { kind: 'refused', cap, used: Number(used), limit: caps.tokensIn }
    : { kind: 'refused', cap: 'tokens_out_daily', used: Number(used), limit: caps.tokensOut };

const admitted = (
  id: string,
  { claims, recall }: AdmitRequest,
  attempt: Attempt,
  [, fresh, inactive, tail]: Reply,
): Admitted => {
  const tokens = new Map(claims.map(each => [each.id, each.tokens]));
  for (const [turn, recordedAt, taken] of freshOf(fresh as string[]))
    attempt.claims.set(turn, { tokens: tokens.get(turn)!, recordedAt, taken });
  return {
    kind: 'admitted',
    attempt: id,
    fresh: new Map([...attempt.claims].map(([turn, each]) => [turn, each.recordedAt])),
    inactive: new Set(inactive as string[]),
    tail: recall ? tailOf(tail, recall) : [],
  };
};

/** Repeats the script `admit` until it decides; whatever it could not know is found out in between. */
export const makeClaim = (
  { gate, clock, isIndexed, mostTail, holdMs = HOLD_MS, reserveMs = RESERVE_MS }: RedisAdmissionOptions,
  { tryRun }: Pick<FencedScripts, 'tryRun'>,
) => {
  const ask = (id: string, request: AdmitRequest, indexed: Indexed, lookUpUntil: number): object => {
    const { recordedAt, caps, claims, tokensIn, recall } = request;
    const now = clock();
    return {
      attempt: id,
      recordedAt,
      capIn: caps.tokensIn,
      capOut: caps.tokensOut,
      tokensIn,
      claims: claims.map(({ timestamp, ...turn }) => ({
        ...turn,
        old: now < lookUpUntil || timestamp < now - CLAIM_MS,
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
    };
  };

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
      const { epoch, facts } = gate.generation();
      attempt.epoch = epoch;
      const reply = await tryRun('admit', request.org, ask(id, request, indexed, facts.lookUpUntil));
      if (!reply) {
        if (performance.now() > deadline) throw unavailable('Redis is being rebuilt from the log.');
        indexed = {};
        continue;
      }
      const [kind, first, second] = reply;
      if (kind === 'admitted') return admitted(id, request, attempt, reply);
      if (kind === 'refused') return refused(first, second, request);
      if (kind === 'full')
        throw unavailable('The projections are too far behind to take more turns.', undefined, 2);
      if (kind === 'wait') {
        if (performance.now() + waited > deadline)
          throw unavailable('Another request is still writing the same turns.');
        await pause(waited);
        waited = Math.min(waited * 2, 100);
      } else {
        // `unsure`. Looked up outside of the atomic step: a turn written meanwhile has a claim at the next try.
        indexed = { ...indexed, ...(await lookUp(request, first as string[])) };
      }
    }
  };
};
