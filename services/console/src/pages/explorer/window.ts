/**
 * The part of a session that is loaded: an unbroken run of its turns, which grows at both ends page by page. The
 * service lists by cursor, so a far place is reached by its time and not by its number.
 */
import type { TurnsQuery } from '../../api/calls.ts';
import type { Page, TurnItem } from '../../api/types.ts';

type LoadPage = (query: TurnsQuery, signal: AbortSignal) => Promise<Page<'turns', TurnItem>>;

/** Where the next page of one end begins; undefined: there is no more. */
type From = Pick<TurnsQuery, 'since' | 'until' | 'cursor'> | undefined;

export type End = 'before' | 'after';

export interface WindowState {
  /** In the order in which they were said. */
  turns: readonly TurnItem[];
  /** Whether the session goes on beyond that end. */
  more: Record<End, boolean>;
  loading: Record<End, boolean>;
  /** The last page that did not come: `grow` of its end asks for it again. */
  failed: { end: End; error: unknown } | undefined;
  /** Grows when the run is another one, and not the one of before with more at an end. */
  opened: number;
}

export interface SessionWindow {
  state(): WindowState;
  subscribe(listener: () => void): () => void;
  /**
   * Leaves what is loaded and begins anew: at an instant (RFC 3339), or else at the session's beginning. Where nothing
   * was said at the instant, it begins with the turn `after` it, or with the one `before`.
   */
  open(instant?: string, nearest?: End): Promise<void>;
  /** One more page at that end. Nothing while one is under way, or when there is no more. */
  grow(end: End): Promise<void>;
  /** Asks again for what came behind the last turn since. */
  look(): Promise<void>;
  close(): void;
}

const PAGE = 200;

/** The instant one millisecond, the resolution of a turn's time, before or after. */
const beside = (instant: string, ms: -1 | 1): string => new Date(Date.parse(instant) + ms).toISOString();

export const makeSessionWindow = (
  session: { user_id: string; session_id: string },
  load: LoadPage,
): SessionWindow => {
  const listeners = new Set<() => void>();
  let running = new AbortController();
  let from: Record<End, From> = { before: undefined, after: undefined };
  let current: WindowState = {
    turns: [],
    more: { before: false, after: false },
    loading: { before: false, after: false },
    failed: undefined,
    opened: 0,
  };
  const set = (change: Partial<WindowState>): void => {
    current = { ...current, ...change };
    for (const listener of listeners) listener();
  };
  const setLoading = (end: End, is: boolean): void => set({ loading: { ...current.loading, [end]: is } });

  /** The instant of the last turn said by then; the instant itself where there is none, or nobody tells. */
  const lastUntil = async (instant: string, signal: AbortSignal): Promise<string> => {
    try {
      const page = await load({ ...session, until: instant, order: 'desc', limit: 1 }, signal);
      return page.turns[0]?.timestamp ?? instant;
    } catch {
      // The page that begins there tells it, and is asked for again.
      return instant;
    }
  };

  const grow = async (end: End): Promise<void> => {
    const { signal } = running;
    const begin = from[end];
    if (!begin || current.loading[end]) return;
    setLoading(end, true);
    set({ failed: undefined });
    try {
      const order = end === 'after' ? 'asc' : 'desc';
      const page = await load({ ...session, ...begin, order, limit: PAGE }, signal);
      if (signal.aborted) return;
      from[end] = page.next_cursor === null ? undefined : { ...begin, cursor: page.next_cursor };
      // A turn may be there already when somebody looks again for what came since.
      const known = new Set(current.turns.map(({ id }) => id));
      const fresh = page.turns.filter(({ id }) => !known.has(id));
      set({
        turns: end === 'after' ? [...current.turns, ...fresh] : [...fresh.reverse(), ...current.turns],
        more: { ...current.more, [end]: page.next_cursor !== null },
      });
    } catch (error) {
      if (!signal.aborted) set({ failed: { end, error } });
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
    open: async (instant, nearest = 'after') => {
      running.abort();
      running = new AbortController();
      const { signal } = running;
      from = { before: undefined, after: undefined };
      set({
        turns: [],
        more: { before: false, after: true },
        loading: { before: false, after: true },
        failed: undefined,
        opened: current.opened + 1,
      });
      const begin =
        nearest === 'before' && instant !== undefined ? await lastUntil(instant, signal) : instant;
      if (signal.aborted) return;
      from =
        begin === undefined
          ? { before: undefined, after: {} }
          : { before: { until: beside(begin, -1) }, after: { since: begin } };
      set({ more: { before: begin !== undefined, after: true }, loading: { before: false, after: false } });
      await grow('after');
    },
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
