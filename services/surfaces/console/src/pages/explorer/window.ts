/**
 * The part of a session that is loaded: an unbroken run of its turns, which grows at both ends page by page. The
 * service lists by cursor, so a far place is reached by its time and not by its number.
 */
import type { TurnsQuery } from '../../api/calls.ts';
import type { Page, TurnItem } from '../../api/types.ts';

type LoadPage = (query: TurnsQuery, signal: AbortSignal) => Promise<Page<'turns', TurnItem>>;

/** Where the next page of one end begins. */
type From = Pick<TurnsQuery, 'since' | 'until' | 'cursor'>;

export type End = 'before' | 'after';

/** Where a run begins: by default at the session's beginning. */
export interface Start {
  /** RFC 3339 with milliseconds. */
  instant?: string | undefined;
  /** Where nothing was said at the instant: with the turn after it, which is the default, or with the one before. */
  nearest?: End;
  /** A turn of that instant, where the reader begins; the run holds it, however many were said at once. */
  turn?: string | undefined;
}

export interface WindowState {
  /** In the order in which they were said. */
  turns: readonly TurnItem[];
  /** Whether the session goes on beyond that end. */
  more: Record<End, boolean>;
  loading: Record<End, boolean>;
  /** Whether another run is on its way; until its first page is there, the turns are those of the run before. */
  opening: boolean;
  /** What did not come, and how it is asked for again. Nothing grows until then. */
  failed: { error: unknown; again: () => Promise<void> } | undefined;
  /** Grows when the run is another one, and not the one of before with more at an end. */
  opened: number;
  /** The turn that the run was to begin with, where one was named. */
  start: string | undefined;
}

export interface SessionWindow {
  state(): WindowState;
  subscribe(listener: () => void): () => void;
  /** Begins anew elsewhere; resolves when that run is there, or has failed, or another one is asked for. */
  open(start?: Start): Promise<void>;
  /** One more page at that end. Nothing while one is under way, or when there is no more. */
  grow(end: End): Promise<void>;
  /** Asks again for what came behind the last turn since. */
  look(): Promise<void>;
  close(): void;
}

const PAGE = 200;
/** No year lies before it that an instant can tell. */
const FIRST_INSTANT = '0000-01-01T00:00:00.000Z';

/** What lies before an instant: up to a millisecond earlier, which is the resolution of a turn's time. */
const whatIsBefore = (instant: string): From | undefined =>
  instant > FIRST_INSTANT ? { until: new Date(Date.parse(instant) - 1).toISOString() } : undefined;

export const makeSessionWindow = (
  session: { user_id: string; session_id: string },
  load: LoadPage,
): SessionWindow => {
  const listeners = new Set<() => void>();
  let running = new AbortController();
  /** Undefined: there is no more. */
  let from: Record<End, From | undefined> = { before: undefined, after: undefined };
  let current: WindowState = {
    turns: [],
    more: { before: false, after: false },
    loading: { before: false, after: false },
    opening: false,
    failed: undefined,
    opened: 0,
    start: undefined,
  };
  const set = (change: Partial<WindowState>): void => {
    current = { ...current, ...change };
    for (const listener of listeners) listener();
  };
  const setLoading = (end: End, is: boolean): void => set({ loading: { ...current.loading, [end]: is } });

  /** One page in the order in which it was said, and where the next one begins. */
  const pageOf = async (end: End, begin: From, signal: AbortSignal) => {
    const order = end === 'after' ? 'asc' : 'desc';
    const page = await load({ ...session, ...begin, order, limit: PAGE }, signal);
    return {
      turns: end === 'after' ? page.turns : page.turns.reverse(),
      next: page.next_cursor === null ? undefined : { ...begin, cursor: page.next_cursor },
    };
  };

  /** The instant of the last turn said by then; the instant itself where there is none. */
  const lastUntil = async (instant: string, signal: AbortSignal): Promise<string> => {
    const page = await load({ ...session, until: instant, order: 'desc', limit: 1 }, signal);
    return page.turns[0]?.timestamp ?? instant;
  };

  /** The first page of a run; more of them as long as the turn to begin with may be on the next one. */
  const firstOf = async (instant: string | undefined, turn: string | undefined, signal: AbortSignal) => {
    let { turns, next } = await pageOf('after', instant === undefined ? {} : { since: instant }, signal);
    const mayComeYet = (): boolean =>
      turn !== undefined && turns.at(-1)?.timestamp === instant && !turns.some(({ id }) => id === turn);
    while (next && mayComeYet()) {
      const page = await pageOf('after', next, signal);
      turns = [...turns, ...page.turns];
      next = page.next;
    }
    return { turns, next };
  };

  const open = async (start: Start = {}): Promise<void> => {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    set({ opening: true, loading: { before: false, after: false }, failed: undefined });
    try {
      const { instant, nearest, turn } = start;
      const begin =
        nearest === 'before' && instant !== undefined ? await lastUntil(instant, signal) : instant;
      const { turns, next } = await firstOf(begin, turn, signal);
      if (signal.aborted) return;
      from = { before: begin === undefined ? undefined : whatIsBefore(begin), after: next };
      set({
        turns,
        more: { before: from.before !== undefined, after: next !== undefined },
        opening: false,
        opened: current.opened + 1,
        start: turn,
      });
    } catch (error) {
      if (!signal.aborted) set({ opening: false, failed: { error, again: () => open(start) } });
    }
  };

  const grow = async (end: End): Promise<void> => {
    const { signal } = running;
    const begin = from[end];
    if (!begin || current.opening || current.loading[end]) return;
    setLoading(end, true);
    set({ failed: undefined });
    try {
      const { turns, next } = await pageOf(end, begin, signal);
      if (signal.aborted) return;
      from[end] = next;
      // A turn may be there already when somebody looks again for what came since.
      const known = new Set(current.turns.map(({ id }) => id));
      const fresh = turns.filter(({ id }) => !known.has(id));
      set({
        turns: end === 'after' ? [...current.turns, ...fresh] : [...fresh, ...current.turns],
        more: { ...current.more, [end]: next !== undefined },
      });
    } catch (error) {
      if (!signal.aborted) set({ failed: { error, again: () => grow(end) } });
    } finally {
      if (!signal.aborted) setLoading(end, false);
    }
  };

  return {
    state: () => current,
    subscribe: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    open,
    grow,
    look: async () => {
      const last = current.turns.at(-1);
      if (current.more.after) return;
      from.after = last ? { since: last.timestamp } : {};
      await grow('after');
    },
    close: () => running.abort(),
  };
};
