/** Sends many turns in few requests. */

import { misconfigured } from '../error.ts';
import type { TurnInput } from '../inputs.ts';
import type { BatchOptions, Outcome, ScopeOptions } from '../options.ts';
import { givenUp, timerMs } from '../transport/deadline.ts';
import { jsonOf, optionsOf, turnOf } from '../transport/requests.ts';
import { type Entry, giveUp, type Remember, sendAll } from './batch-send.ts';
import { makeFailures } from './failures.ts';

/** The bytes of a 4 MiB body that are available for turns; metadata takes at most 16 KiB. */
const TURNS_BYTES = 4 * 1_024 * 1_024 - 32 * 1_024;
/** The most turns per request. */
const MOST_TURNS = 1_000;

export interface Added {
  /** The turn's outcome; never rejects. */
  outcome: Promise<Outcome>;
}

export interface Batch {
  /**
   * Adds a turn; default user and session: those of the batch. Waits while `maxPending` turns are not
   * acknowledged, so `await batch.add(turn)` in a loop provides back-pressure.
   */
  add(turn: TurnInput, scope?: ScopeOptions): Promise<Added>;
  /**
   * Sends all added turns, and resolves when all of them are acknowledged. Rejects with `not_stored` if turns
   * failed that no earlier flush has reported; `details.failed` has each one's index (in the order of `add`,
   * from 0), code and message.
   */
  flush(): Promise<void>;
  /** Flushes, and then accepts no more turns. */
  close(): Promise<void>;
}

/** The turns of one scope: one request at a time, so that they keep their order. */
interface Lane {
  scope: ScopeOptions;
  waiting: Entry[];
  bytes: number;
  isSending: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Takes as many of the oldest entries as fit into one request. */
const takeFrom = (lane: Lane, maxTurns: number): Entry[] => {
  let bytes = 0;
  const count = lane.waiting.findIndex((entry, i) => {
    bytes += entry.bytes;
    return i > 0 && (i >= maxTurns || bytes > TURNS_BYTES);
  });
  const taken = lane.waiting.splice(0, count < 0 ? lane.waiting.length : count);
  lane.bytes -= taken.reduce((sum, entry) => sum + entry.bytes, 0);
  return taken;
};

/** Invalid limits would make a batch that never sends anything, or whose requests are all refused. */
const checkLimits = (limits: {
  maxTurns: number;
  maxAgeMs: number;
  maxInFlight: number;
  maxPending: number;
}) => {
  const { maxTurns, maxAgeMs, maxInFlight, maxPending } = limits;
  if (!(maxTurns >= 1 && maxTurns <= MOST_TURNS))
    throw misconfigured(`maxTurns must be from 1 to ${MOST_TURNS}.`);
  if (!(maxAgeMs >= 0 && maxInFlight >= 1 && maxPending >= 1))
    throw misconfigured('maxAgeMs must be at least 0, maxInFlight and maxPending at least 1.');
};

const keyOf = ({ user, session }: ScopeOptions): string => JSON.stringify([user, session]);

export const makeBatch = (remember: Remember, options: BatchOptions): Batch => {
  const { maxTurns = MOST_TURNS, maxAgeMs = 500, maxInFlight = 4, maxPending = 10_000, ...others } = options;
  const { signal, ...write } = others;
  checkLimits({ maxTurns, maxAgeMs, maxInFlight, maxPending });
  const lanes = new Map<string, Lane>();
  /** In sending order. */
  const ready = new Set<Lane>();
  const unsettled = new Set<Promise<Outcome>>();
  const waitingForRoom: (() => void)[] = [];
  const failures = makeFailures();
  let added = 0;
  let pending = 0;
  let inFlight = 0;
  let flushes = 0;
  let isClosed = false;

  const isFull = (lane: Lane): boolean => lane.waiting.length >= maxTurns || lane.bytes >= TURNS_BYTES;

  /**
   * Makes a lane ready now, or when its first turn is old enough. A sending lane is scheduled again
   * afterwards.
   */
  const schedule = (lane: Lane): void => {
    clearTimeout(lane.timer);
    const [first] = lane.waiting;
    if (lane.isSending || !first) return;
    const age = Date.now() - first.addedAt;
    if (isFull(lane) || flushes > 0 || age >= maxAgeMs) return void ready.add(lane);
    lane.timer = setTimeout(
      () => {
        ready.add(lane);
        pump();
      },
      timerMs(maxAgeMs - age),
    );
  };

  const sendFrom = async (lane: Lane): Promise<void> => {
    lane.isSending = true;
    inFlight++;
    ready.delete(lane);
    clearTimeout(lane.timer);
    await sendAll(remember, takeFrom(lane, maxTurns), { ...write, ...lane.scope, signal });
    lane.isSending = false;
    inFlight--;
    if (lane.waiting.length === 0) lanes.delete(keyOf(lane.scope));
    else schedule(lane);
    pump();
  };

  const pump = (): void => {
    // Full, and no request in flight that would free space: send everything now.
    if (waitingForRoom.length > 0 && inFlight === 0 && ready.size === 0)
      for (const lane of lanes.values()) ready.add(lane);
    for (const lane of ready) {
      if (inFlight >= maxInFlight) return;
      void sendFrom(lane);
    }
  };

  /** Passes the freed space of a settled turn to the longest-waiting `add`. */
  const release = (): void => {
    const next = waitingForRoom.shift();
    if (next) next();
    else pending--;
  };

  /** Gives up all entries that are not in a request yet. */
  const drop = (): void => {
    for (const [key, lane] of lanes) {
      clearTimeout(lane.timer);
      ready.delete(lane);
      lane.bytes = 0;
      giveUp(lane.waiting.splice(0), signal!);
      if (!lane.isSending) lanes.delete(key);
    }
  };
  signal?.addEventListener('abort', drop, { once: true });

  const put = (entry: Entry, scope: ScopeOptions): void => {
    if (signal?.aborted) {
      giveUp([entry], signal);
      return;
    }
    const key = keyOf(scope);
    const lane = lanes.get(key) ?? { scope, waiting: [], bytes: 0, isSending: false, timer: undefined };
    lanes.set(key, lane);
    lane.waiting.push(entry);
    lane.bytes += entry.bytes;
    if (lane.waiting.length === 1 || isFull(lane)) schedule(lane);
    pump();
  };

  const add: Batch['add'] = async (input, scope = {}) => {
    if (isClosed) throw misconfigured('The batch is closed.');
    if (signal?.aborted) throw givenUp(signal);
    const turn = turnOf(input);
    const { user, session } = optionsOf(scope);
    const index = added++;
    if (!turn) return { outcome: Promise.resolve({ ok: true, id: undefined }) };
    const bytes = new TextEncoder().encode(jsonOf(turn)).length + 1;
    let settle: Entry['settle'] = () => {};
    const outcome = new Promise<Outcome>(resolve => {
      settle = resolve;
    }).then(settled => {
      unsettled.delete(outcome);
      if (!settled.ok) failures.note(index, settled.error);
      release();
      return settled;
    });
    unsettled.add(outcome);
    if (pending >= maxPending) {
      await new Promise<void>(resolve => {
        waitingForRoom.push(resolve);
        pump();
      });
    } else pending++;
    put(
      { turn, bytes, addedAt: Date.now(), settle },
      { user: user ?? write.user, session: session ?? write.session },
    );
    return { outcome };
  };

  const flush: Batch['flush'] = async () => {
    const tell = failures.follow();
    flushes++;
    for (const lane of lanes.values()) schedule(lane);
    pump();
    await Promise.all(unsettled);
    flushes--;
    tell();
  };

  return {
    add,
    flush,
    close: () => {
      isClosed = true;
      return flush().finally(() => signal?.removeEventListener('abort', drop));
    },
  };
};
