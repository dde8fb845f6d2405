/** Writes, recalls and usage reads at once, each held against what was acknowledged before it. */

import type { Client } from '../http/client.ts';
import { pause, until } from '../wait.ts';
import { sentence, turn } from './builders.ts';

interface Tokens {
  tokens_in: number;
  tokens_out: number;
}

export interface Acknowledged {
  n: number;
  user: string;
  id: string;
}

export interface Load {
  start(): void;
  /** Until so many writes were acknowledged, all in all. */
  until(writes: number): Promise<void>;
  /** Resolves when so many more were acknowledged. */
  more(writes: number): Promise<void>;
  stop(): Promise<void>;
  /** Calls that failed, turns that a recall missed, usage that is less or more than can be. */
  faults(): string[];
  /** By the answers. */
  billed(): Tokens;
  acknowledged(): readonly Acknowledged[];
}

const WRITERS = 3;
const READERS = 2;

const RETRY_MS = 50;

/**
 * `client` may be replaced after a restart; `mayFail` says that a call which fails is no fault right now.
 * Each client pauses for `paceMs` after a call: a replay beside clients that never pause has an end that
 * depends on the machine.
 */
export const makeLoad = (
  client: Client | (() => Client),
  { tokens_in, tokens_out }: Tokens,
  {
    from = 20_000,
    mayFail = () => false,
    paceMs = 0,
  }: { from?: number; mayFail?: () => boolean; paceMs?: number } = {},
): Load => {
  const clientOf = typeof client === 'function' ? client : () => client;
  let sent: Tokens = { tokens_in, tokens_out };
  let billed: Tokens = { tokens_in, tokens_out };
  const acknowledged: Acknowledged[] = [];
  const faults: string[] = [];
  let next = from;
  let stopped = true;
  let loops: Promise<unknown> = Promise.resolve();

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    const before = clientOf();
    try {
      await work();
    } catch (error) {
      // One that began with a client of before a restart may hear of it late.
      if (!mayFail() && clientOf() === before) faults.push(String(error));
      // A server that is gone is not asked a thousand times a second.
      await pause(RETRY_MS);
    }
  };

  const write = async (): Promise<void> => {
    const n = next++;
    const user = `load-${n % 7}`;
    // Tokens are known from the answer alone: until then anything up to this may be billed.
    sent = { ...sent, tokens_in: sent.tokens_in + 1_000 };
    const turns = [turn(n, { observations: n % 5 === 0 ? [`ref${n} was noted`] : [] })];
    const answer = await clientOf().ingest({ scope: { user_id: user, session_id: `s${n % 3}` }, turns });
    sent = { ...sent, tokens_in: sent.tokens_in - 1_000 + answer.usage.tokens_in };
    billed = { ...billed, tokens_in: billed.tokens_in + answer.usage.tokens_in };
    acknowledged.push({ n, user, id: answer.active_fragment_ids[0]! });
  };

  const read = async (): Promise<void> => {
    // One that was just acknowledged, or any.
    const recent = Math.random() < 0.7;
    const one = acknowledged.at(recent ? -1 : Math.floor(Math.random() * acknowledged.length));
    // Nothing yet: without a pause this loop would let nobody else run.
    if (!one) return pause(RETRY_MS);
    sent = { tokens_in: sent.tokens_in + 1_000, tokens_out: sent.tokens_out + 100_000 };
    const answer = await clientOf().recall({ q: sentence(one.n), scope: { user_id: one.user } });
    const { usage } = answer;
    sent = {
      tokens_in: sent.tokens_in - 1_000 + usage.tokens_in,
      tokens_out: sent.tokens_out - 100_000 + usage.tokens_out,
    };
    billed = {
      tokens_in: billed.tokens_in + usage.tokens_in,
      tokens_out: billed.tokens_out + usage.tokens_out,
    };
    if (!answer.hits.turns.some(({ id }) => id === one.id)) faults.push(`turn ${one.n} is missed`);
  };

  const count = async (): Promise<void> => {
    const before = billed;
    const today = await clientOf().today();
    const after = sent;
    for (const kind of ['tokens_in', 'tokens_out'] as const) {
      if (today[kind] < before[kind]) faults.push(`${kind}: ${today[kind]} of ${before[kind]} billed`);
      if (today[kind] > after[kind]) faults.push(`${kind}: ${today[kind]}, and ${after[kind]} at most`);
    }
  };

  const loop = async (work: () => Promise<void>): Promise<void> => {
    while (!stopped) {
      await attempt(work);
      if (paceMs > 0) await pause(paceMs);
    }
  };

  return {
    start: () => {
      stopped = false;
      loops = Promise.all([
        ...Array.from({ length: WRITERS }, () => loop(write)),
        ...Array.from({ length: READERS }, () => loop(read)),
        loop(count),
      ]);
    },
    until: writes => until(`${writes} writes`, () => acknowledged.length >= writes, 60_000),
    more: writes => {
      const enough = acknowledged.length + writes;
      return until(`${writes} more writes`, () => acknowledged.length >= enough, 60_000);
    },
    stop: async () => {
      stopped = true;
      await loops;
    },
    faults: () => faults,
    billed: () => billed,
    acknowledged: () => acknowledged,
  };
};
