/**
 * The loaded part of a session: a contiguous run of its turns that grows at both ends page by page. The
 * service pages by cursor, so a distant place is reached by time, not by index.
 */
import type { TurnsQuery } from '../../../api/calls.ts';
import type { Page, TurnItem } from '../../../api/types.ts';

type LoadPage = (query: TurnsQuery, signal: AbortSignal) => Promise<Page<'turns', TurnItem>>;

/** Start of the next page at an end. */
type From = Pick<TurnsQuery, 'since' | 'until' | 'cursor'>;

export type End = 'before' | 'after';

/** Start of a run; default: the start of the session. */
export interface Start {
  /** RFC 3339 with milliseconds. */
  instant?: string | undefined;
  /** If there is no turn at the instant: the next turn (default) or the previous one. */
  nearest?: End;
  /** A turn of that instant to begin with; the run contains it, however many turns share the instant. */
  turn?: string | undefined;
}

export interface WindowState {
  /** In chronological order. */
  turns: readonly TurnItem[];
  /** Whether the session continues beyond each end. */
  more: Record<End, boolean>;
  loading: Record<End, boolean>;
  /** Whether another run is loading; until its first page arrives, they are those of the previous run. */
  opening: boolean;
  /** The failed request and a function that retries it. Nothing else is loaded until then. */
  failed: { error: unknown; again: () => Promise<void> } | undefined;
  /** Increases with every new run, but not when a run grows. */
  opened: number;
  /** The turn at which the run was opened, if one was named. */
  start: string | undefined;
}

export interface SessionWindow {
  state(): WindowState;
  subscribe(listener: () => void): () => void;
  /** Opens another run; resolves when it is loaded, has failed, or is superseded. */
  open(start?: Start): Promise<void>;
  /** Loads another page at that end, unless one is loading or there are no more turns. */
  grow(end: End): Promise<void>;
  /** Removes a hidden turn from the run. */
  remove(id: string): void;
  /** Loads turns that were added after the last one. */
  loadNewer(): Promise<void>;
  close(): void;
}

const PAGE = 200;
/** The earliest instant of RFC 3339. */
const FIRST_INSTANT = '0000-01-01T00:00:00.000Z';

/** Returns the range before an instant: up to one millisecond earlier, the resolution of a turn's time. */
const whatIsBefore = (instant: string): From | undefined =>
  instant > FIRST_INSTANT ? { until: new Date(Date.parse(instant) - 1).toISOString() } : undefined;

/** Reads the pages of a session, each in chronological order and with the start of the next page. */
const pagesOf = (session: { user_id: string; session_id: string }, load: LoadPage) => {
  const page = async (end: End, begin: From, signal: AbortSignal) => {
    const order = end === 'after' ? 'asc' : 'desc';
    const found = await load({ ...session, ...begin, order, limit: PAGE }, signal);
    return {
      turns: end === 'after' ? found.turns : found.turns.reverse(),
      next: found.next_cursor === null ? undefined : { ...begin, cursor: found.next_cursor },
    };
  };
  return {
    page,
    /** Reads the first page of a run, and further pages as long as the first turn may be on the next one. */
    first: async (instant: string | undefined, turn: string | undefined, signal: AbortSignal) => {
      let { turns, next } = await page('after', instant === undefined ? {} : { since: instant }, signal);
      const mayComeYet = (): boolean =>
        turn !== undefined && turns.at(-1)?.timestamp === instant && !turns.some(({ id }) => id === turn);
      while (next && mayComeYet()) {
        const further = await page('after', next, signal);
        turns = [...turns, ...further.turns];
        next = further.next;
      }
      return { turns, next };
    },
    /** Returns the instant of the last turn up to the given one; without any, the given instant. */
    lastUntil: async (instant: string, signal: AbortSignal): Promise<string> => {
      const found = await load({ ...session, until: instant, order: 'desc', limit: 1 }, signal);
      return found.turns[0]?.timestamp ?? instant;
    },
  };
};

export const makeSessionWindow = (
  session: { user_id: string; session_id: string },
  load: LoadPage,
): SessionWindow => {
  const listeners = new Set<() => void>();
  let running = new AbortController();
  /** Undefined for an end with no more turns. */
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

  const pages = pagesOf(session, load);

  const open = async (start: Start = {}): Promise<void> => {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    set({ opening: true, loading: { before: false, after: false }, failed: undefined });
    try {
      const { instant, nearest, turn } = start;
      const begin =
        nearest === 'before' && instant !== undefined ? await pages.lastUntil(instant, signal) : instant;
      const { turns, next } = await pages.first(begin, turn, signal);
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
      const { turns, next } = await pages.page(end, begin, signal);
      if (signal.aborted) return;
      from[end] = next;
      // `loadNewer` returns the last turn again.
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
    remove: id => set({ turns: current.turns.filter(turn => turn.id !== id) }),
    loadNewer: async () => {
      const last = current.turns.at(-1);
      if (current.more.after) return;
      from.after = last ? { since: last.timestamp } : {};
      await grow('after');
    },
    close: () => running.abort(),
  };
};
