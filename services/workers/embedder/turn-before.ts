import { isShort } from '../../../projections/recall/embedded-parts.ts';
import type { TurnRecorded } from '../../../schemas/events/turns.ts';
import type { Event } from '../../core/log/events.ts';
import { DAY_MS } from '../../core/time.ts';

type Recorded = Event<TurnRecorded>;

/** Sessions whose last turn is remembered. */
const MOST_SESSIONS = 5_000;

/**
 * The turns before these in their sessions, as far as a model may read them with these. `keep` remembers the last ones for what comes
 * next in the log; without it the same turns may be read again, after a failure.
 */
export interface TurnsBefore {
  before: (Recorded | undefined)[];
  keep: () => void;
}

/**
 * Remembers the last turn of each session in the order of the log. A session is known by its key, so nothing of one that was erased
 * is read with what is said in it afterwards; and no turn stands before one that outlives it by more than a day, by its own expiry or
 * by a retention.
 *
 * @returns a function of turns that may be read, in the order of the log, and of the ids of turns that are retracted by now
 */
export const makeTurnsBefore = (most = MOST_SESSIONS) => {
  let kept: ReadonlyMap<string, Recorded> = new Map();
  return (turns: readonly Recorded[], hidden: ReadonlySet<string>): TurnsBefore => {
    const last = new Map([...kept].filter(([, { id }]) => !hidden.has(id)));
    const before = turns.map(turn => {
      const session = turn.keyId!;
      const found = last.get(session);
      // The latest stands last, and the first is forgotten.
      last.delete(session);
      if (isShort(turn.data)) last.set(session, turn);
      if (last.size > most) last.delete(last.keys().next().value!);
      return found && found.id !== turn.id && livesWith(found, turn) ? found : undefined;
    });
    const keep = (): void => {
      kept = last;
    };
    return { before, keep };
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
