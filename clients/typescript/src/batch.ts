/** Many turns, few requests. */
import { faultsOf, faultsText, listOf } from './answer.ts';
import { timerMs } from './deadline.ts';
import { misconfigured, TurnstoneError } from './error.ts';
import type { BatchOptions, Outcome, ScopeOptions, TurnInput, WriteOptions } from './options.ts';
import { jsonOf, turnOf, type WrittenTurn } from './requests.ts';
import type { Remembered } from './types.ts';

/** Of a body's 4 MiB, what its turns may have; metadata has at most 16 KiB. */
const TURNS_BYTES = 4 * 1_024 * 1_024 - 32 * 1_024;
/** Of one request. */
const MOST_TURNS = 1_000;
/** As many failures are told one by one. */
const FAILURES_TOLD = 100;

export interface Added {
  /** What becomes of the turn; never rejects. */
  outcome: Promise<Outcome>;
}

export interface Batch {
  /**
   * Takes a turn, of the batch's user and session where none is named. Waits while `maxPending` turns are not acknowledged:
   * `await batch.add(turn)` in a loop is all the back-pressure that is needed.
   */
  add(turn: TurnInput, scope?: ScopeOptions): Promise<Added>;
  /**
   * Sends what was added, and resolves when all of it is acknowledged. Rejects with `not_stored` when turns since the last
   * flush were not; `details.failed` has the index of each (counted by `add`, from 0), its code and what was said.
   */
  flush(): Promise<void>;
  /** Flushes, and takes no more. */
  close(): Promise<void>;
}

interface Entry {
  index: number;
  turn: WrittenTurn;
  bytes: number;
  /** Unix milliseconds. */
  addedAt: number;
  settle: (outcome: Outcome) => void;
}

/** The turns of one scope: one request at a time, so that they keep their order. */
interface Lane {
  scope: ScopeOptions;
  waiting: Entry[];
  bytes: number;
  isSending: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
}

type Remember = (turns: TurnInput[], options: WriteOptions) => Promise<Remembered>;

/** As many of the first as a request may have. */
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

/** What a refusal says of single turns, by their index in the request; undefined where it is about anything else. */
const refusedTurns = (
  error: TurnstoneError,
  turns: readonly unknown[],
): Map<number, TurnstoneError> | undefined => {
  if (error.code !== 'malformed' && error.code !== 'invalid') return undefined;
  const byTurn = new Map<number, ReturnType<typeof faultsOf>>();
  for (const fault of faultsOf(error.details)) {
    const [, list, index] = fault.loc;
    if (list !== 'turns' || typeof index !== 'number' || !(index in turns)) return undefined;
    byTurn.set(index, [...(byTurn.get(index) ?? []), fault]);
  }
  if (byTurn.size === 0) return undefined;
  const { code, status, requestId } = error;
  return new Map(
    [...byTurn].map(([index, faults]) => {
      const errors = faults.map(({ loc, ...rest }) => ({ ...rest, loc: ['turn', ...loc.slice(3)] }));
      const message = ['The turn was refused.', ...faultsText(errors)].join('\n  ');
      return [index, new TurnstoneError(message, { code, status, requestId, details: { errors } })];
    }),
  );
};

/** Sends entries and settles each of them, whatever happens. A refusal for some is none for their neighbours. */
const sendAll = async (remember: Remember, entries: Entry[], options: WriteOptions): Promise<void> => {
  if (entries.length === 0) return;
  try {
    const stored = await remember(
      entries.map(({ turn }) => turn as TurnInput),
      options,
    );
    const ids = listOf(stored, 'active_fragment_ids') as string[];
    for (const [i, { settle }] of entries.entries()) settle({ ok: true, id: ids[i] });
  } catch (caught) {
    const error = caught as TurnstoneError;
    const refused = refusedTurns(error, entries);
    if (refused) {
      for (const [i, why] of refused) entries[i]!.settle({ ok: false, error: why });
      await sendAll(
        remember,
        entries.filter((_, i) => !refused.has(i)),
        options,
      );
    } else if (error.code === 'too_large' && entries.length > 1) {
      const half = Math.ceil(entries.length / 2);
      await sendAll(remember, entries.slice(0, half), options);
      await sendAll(remember, entries.slice(half), options);
    } else for (const { settle } of entries) settle({ ok: false, error });
  }
};

/** With what it can't be, a batch would never send, or be refused whole. */
const checkLimits = (limits: {
  maxTurns: number;
  maxAgeMs: number;
  maxInFlight: number;
  maxPending: number;
}) => {
  const { maxTurns, maxAgeMs, maxInFlight, maxPending } = limits;
  if (!(maxTurns >= 1 && maxTurns <= MOST_TURNS)) throw misconfigured(`maxTurns is 1 to ${MOST_TURNS}.`);
  if (!(maxAgeMs >= 0 && maxInFlight >= 1 && maxPending >= 1))
    throw misconfigured('maxAgeMs is at least 0, maxInFlight and maxPending are at least 1.');
};

const keyOf = ({ user, session }: ScopeOptions): string => JSON.stringify([user, session]);

export const makeBatch = (remember: Remember, options: BatchOptions): Batch => {
  const { maxTurns = MOST_TURNS, maxAgeMs = 500, maxInFlight = 4, maxPending = 10_000, ...write } = options;
  checkLimits({ maxTurns, maxAgeMs, maxInFlight, maxPending });
  const lanes = new Map<string, Lane>();
  /** In the order in which they are to be sent. */
  const ready = new Set<Lane>();
  const unsettled = new Set<Promise<Outcome>>();
  const waitingForRoom: (() => void)[] = [];
  let failed: { index: number; error: TurnstoneError }[] = [];
  let failures = 0;
  let added = 0;
  let pending = 0;
  let inFlight = 0;
  let flushes = 0;
  let isClosed = false;

  const isFull = (lane: Lane): boolean => lane.waiting.length >= maxTurns || lane.bytes >= TURNS_BYTES;

  /** Ready now, or when its first turn has waited for long enough; one that sends is asked again when it has sent. */
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
    await sendAll(remember, takeFrom(lane, maxTurns), { ...write, ...lane.scope });
    lane.isSending = false;
    inFlight--;
    if (lane.waiting.length === 0) lanes.delete(keyOf(lane.scope));
    else schedule(lane);
    pump();
  };

  const pump = (): void => {
    // Full, and nothing on its way that would make room: what there is goes now.
    if (waitingForRoom.length > 0 && inFlight === 0 && ready.size === 0)
      for (const lane of lanes.values()) ready.add(lane);
    for (const lane of ready) {
      if (inFlight >= maxInFlight) return;
      void sendFrom(lane);
    }
  };

  /** The room of a settled turn goes to who has waited longest. */
  const release = (): void => {
    const next = waitingForRoom.shift();
    if (next) next();
    else pending--;
  };

  const put = (entry: Entry, scope: ScopeOptions): void => {
    const key = keyOf(scope);
    const lane = lanes.get(key) ?? { scope, waiting: [], bytes: 0, isSending: false, timer: undefined };
    lanes.set(key, lane);
    lane.waiting.push(entry);
    lane.bytes += entry.bytes;
    if (lane.waiting.length === 1 || isFull(lane)) schedule(lane);
    pump();
  };

  const noteFailure = (index: number, error: TurnstoneError): void => {
    failures++;
    if (failed.length < FAILURES_TOLD) failed.push({ index, error });
  };

  const add: Batch['add'] = async (input, scope = {}) => {
    if (isClosed) throw misconfigured('The batch is closed.');
    const turn = turnOf(input);
    const bytes = new TextEncoder().encode(jsonOf(turn)).length + 1;
    const index = added++;
    let settle: Entry['settle'] = () => {};
    const outcome = new Promise<Outcome>(resolve => {
      settle = resolve;
    }).then(settled => {
      unsettled.delete(outcome);
      if (!settled.ok) noteFailure(index, settled.error);
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
      { index, turn, bytes, addedAt: Date.now(), settle },
      { user: scope.user ?? write.user, session: scope.session ?? write.session },
    );
    return { outcome };
  };

  const flush: Batch['flush'] = async () => {
    flushes++;
    for (const lane of lanes.values()) schedule(lane);
    pump();
    await Promise.all(unsettled);
    flushes--;
    if (failures === 0) return;
    const [first] = failed;
    const details = {
      failed: failed.map(({ index, error: { code, message } }) => ({ index, code, message })),
      omitted: failures - failed.length,
    };
    const error = new TurnstoneError(
      `${failures} turns were not stored; the first: ${first!.error.message}`,
      {
        code: 'not_stored',
        status: first!.error.status,
        requestId: first!.error.requestId,
        cause: first!.error,
        details,
      },
    );
    failed = [];
    failures = 0;
    throw error;
  };

  return {
    add,
    flush,
    close: () => {
      isClosed = true;
      return flush();
    },
  };
};
