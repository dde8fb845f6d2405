import type { Event } from '../../../core/log/events.ts';
import { DAY_MS } from '../../../core/time.ts';
import { isShort, type SaidTurn } from '../../../domain/search/embedded-parts.ts';
import type { TurnRecorded } from '../../../schemas/events/turns.ts';

type Recorded = Event<TurnRecorded>;

/** Sessions whose last turn is remembered, each in less than a kilobyte. */
const MOST_SESSIONS = 5_000;

/** A turn that a model may read with the one after it. */
export interface TurnBefore extends SaidTurn {
  id: string;
  offset: number;
  index: number;
  /** Unix milliseconds; from when a retention counts, and when it expires by itself. */
  keptFrom: number;
  expires: number;
}

/**
 * Remembers the last turn of each session in the order of the log. A session is known by its key, so nothing
 * of one that was erased is read with what is said in it afterwards; and no turn stands before one that
 * outlives it by more than a day, by its own expiry or by a retention. What is read again, after a failure,
 * has none before it that stands later in the log.
 *
 * @returns a function of turns that may be read, in the order of the log, and of the ids of turns that are
 * retracted by now
 */
export const makeTurnsBefore = (most = MOST_SESSIONS) => {
  const last = new Map<string, TurnBefore>();
  return (turns: readonly Recorded[], hidden: ReadonlySet<string>): (TurnBefore | undefined)[] => {
    if (hidden.size > 0) for (const [session, { id }] of last) if (hidden.has(id)) last.delete(session);
    return turns.map(event => {
      const session = event.keyId!;
      const before = last.get(session);
      const turn = remembered(event);
      // The latest stands last, and the first is forgotten.
      last.delete(session);
      if (isShort(turn)) last.set(session, turn);
      if (last.size > most) last.delete(last.keys().next().value!);
      return before && isEarlier(before, turn) && livesWith(before, turn) ? before : undefined;
    });
  };
};

const remembered = ({ id, offset, index = 0, ...event }: Recorded): TurnBefore => ({
  id,
  offset,
  index,
  role: event.data.role,
  text: event.data.text,
  keptFrom: Date.parse(event.kept_from ?? event.recorded_at),
  expires: event.expires_at === undefined ? Number.POSITIVE_INFINITY : Date.parse(event.expires_at),
});

/** A copy of a turn doesn't stand before it. */
const isEarlier = (before: TurnBefore, turn: TurnBefore): boolean =>
  before.id !== turn.id && (before.offset - turn.offset || before.index - turn.index) < 0;

const livesWith = (before: TurnBefore, turn: TurnBefore): boolean =>
  turn.keptFrom - before.keptFrom <= DAY_MS &&
  (before.expires === Number.POSITIVE_INFINITY || turn.expires - before.expires <= DAY_MS);
