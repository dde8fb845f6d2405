import type { Memory } from './memory.ts';
import { periodOf } from './quoted.ts';

/** The scope to erase, without relying on the key's defaults. */
export interface Target {
  user: string;
  /** Undefined: all sessions. */
  session?: string;
}

/** Maximum pages of 200 that are read of each list. The documentation gives the same number of turns. */
const MOST_PAGES = 10;

export interface Holdings {
  turns: number;
  sessions: number;
  /** `2026-04-02 to 2026-05-01`; empty if unknown. */
  period: string;
  /** Whether the counts are minimums, because the rest was not counted. */
  more: boolean;
  /** Identifies the turns: differs for other turns, even if there are as many. */
  content: string;
}

const pagesOf = async <Page extends { next_cursor: string | null }>(
  read: (cursor: string | undefined) => Promise<Page>,
  isEnough: (page: Page) => boolean = () => false,
): Promise<{ pages: Page[]; more: boolean }> => {
  const pages: Page[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await read(cursor);
    pages.push(page);
    const more = page.next_cursor !== null;
    if (!more || isEnough(page) || pages.length === MOST_PAGES) return { pages, more };
    cursor = page.next_cursor!;
  }
};

/**
 * Counts the turns that would be erased, so that the person can decide, and identifies them. The counts of
 * the session list lag slightly behind; turns are listed at once, so they are counted instead if all of them
 * can be read.
 */
export const holdingsOf = async (
  memory: Memory,
  { user, session }: Target,
  signal: AbortSignal,
): Promise<Holdings> => {
  const listed = await pagesOf(
    cursor => memory.sessions({ user, cursor, limit: 200 }, signal),
    page => page.sessions.some(one => one.session_id === session),
  );
  const sessions = listed.pages
    .flatMap(page => page.sessions)
    .filter(one => session === undefined || one.session_id === session);
  // Newest first: in a session too long to read, new turns appear at that end.
  const read = await pagesOf(cursor =>
    memory.turns({ user, session, order: 'desc', cursor, limit: 200 }, signal),
  );
  // A turn that is indexed while the pages are read may be on two of them.
  const turns = new Map(read.pages.flatMap(page => page.turns).map(turn => [turn.id, turn]));
  const said = [...turns.values()].map(({ timestamp }) => ({ first_at: timestamp, last_at: timestamp }));
  // The session may come after the pages that were read, or may not be the key's own.
  const isUnlisted = session !== undefined && sessions.length === 0;
  const counted = sessions.reduce((sum, one) => sum + one.turns, 0);
  return {
    turns: read.more ? Math.max(counted, turns.size) : turns.size,
    sessions: new Set([...sessions, ...turns.values()].map(one => one.session_id)).size,
    period: periodOf(read.more && !isUnlisted ? sessions : said),
    more: session === undefined ? listed.more : isUnlisted && read.more,
    content: JSON.stringify([[...turns.keys()].sort(), read.more ? sessions : null]),
  };
};
