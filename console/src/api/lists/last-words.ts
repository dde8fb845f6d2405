/** The last turn of a user or a session, for its row in a list. */
import { sessions, turns } from '../calls.ts';
import type { TurnItem } from '../types.ts';

/** Calls at once: the rows of a screen come one after the other, before what the reader does next. */
const MOST_AT_ONCE = 3;

const waiting: (() => void)[] = [];
let running = 0;

const inTurn = async <T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> => {
  if (running >= MOST_AT_ONCE) await new Promise<void>(resolve => waiting.push(resolve));
  running += 1;
  try {
    signal.throwIfAborted();
    return await call();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
};

const lastOf = async (
  user_id: string,
  session_id: string,
  signal: AbortSignal,
): Promise<TurnItem | undefined> =>
  (await turns({ user_id, session_id, order: 'desc', limit: 1 }, signal)).turns[0];

/** Without a session: of the user's last active one. Undefined where no turn is stored. */
export const lastWords = (
  user: string,
  session: string | undefined,
  signal: AbortSignal,
): Promise<TurnItem | undefined> =>
  inTurn(signal, async () => {
    if (session !== undefined) return lastOf(user, session, signal);
    const [latest] = (await sessions({ user_id: user, sort: 'last_at', limit: 1 }, signal)).sessions;
    return latest && lastOf(user, latest.session_id, signal);
  });
