import { isShort } from '../../../projections/recall/embedded-parts.ts';
import type { TurnRecorded } from '../../../schemas/events/turns.ts';
import type { Event } from '../../core/log/events.ts';
import { DAY_MS } from '../../core/time.ts';

type Recorded = Event<TurnRecorded>;

/** Sessions whose last turn is remembered. */
const MOST_SESSIONS = 5_000;

/**
 * Remembers the last turn of each session in the order of the log, as far as a model may read it with the next one. It is given turns
 * that may be read, and returns the one before. A session is known by its key, so nothing of one that was erased is read with what
 * is said in it afterwards; and no turn stands before one that outlives it by more than a day, by its own expiry or by a retention.
 */
export const makeTurnBefore = (most = MOST_SESSIONS) => {
  const last = new Map<string, Recorded>();
  return (turn: Recorded): Recorded | undefined => {
    const session = turn.keyId!;
    const before = last.get(session);
    // The latest stands last, and the first is forgotten.
    last.delete(session);
    if (isShort(turn.data)) last.set(session, turn);
    if (last.size > most) last.delete(last.keys().next().value!);
    return before && before.id !== turn.id && livesWith(before, turn) ? before : undefined;
  };
};

const livesWith = (before: Recorded, turn: Recorded): boolean => {
  if (keptFrom(turn) - keptFrom(before) > DAY_MS) return false;
  if (before.expires_at === undefined) return true;
  return (
    turn.expires_at !== undefined && Date.parse(turn.expires_at) - Date.parse(before.expires_at) <= DAY_MS
  );
};

/** From when a retention counts, Unix milliseconds. */
const keptFrom = ({ kept_from, recorded_at }: Recorded): number => Date.parse(kept_from ?? recorded_at);
