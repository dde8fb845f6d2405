import { setTimeout as pause } from 'node:timers/promises';
import type { FeedData } from '../../../schemas/http/hits.ts';
import { ServiceError } from '../../core/errors.ts';
import type { Scope } from '../../core/ports.ts';
import type { FeedMessage } from '../../core/use-cases.ts';
import { observationFields, turnFields } from '../recall/render.ts';
import type { Feed, FeedItem } from './feed.ts';
import { encodePosition, type FeedPosition } from './position.ts';

/** Entries of one read: a text has up to 64 KiB, and a stream must not hold many of them. */
const PAGE = 64;
const BEAT_MS = 15_000;
/** The token's end and its key's revocation are heard of within this time. */
const ASK_EVERY_MS = 2_000;
/** Who can't be asked about for longer is not told more. */
const UNKNOWN_MS = 20_000;

export interface FollowOptions {
  feed: Feed;
  scope: Pick<Scope, 'org' | 'user'>;
  from: FeedPosition;
  signal: AbortSignal;
  /** False: the token or its key is at its end. Throws `unavailable` where nobody can tell. */
  isAllowed: () => Promise<boolean>;
  /** For tests. */
  beatMs?: number;
  askEveryMs?: number;
}

/**
 * All that a scope holds behind a position, and then what comes, until whoever follows has gone or may see no more. The
 * first message comes when the first read was answered. A reader that doesn't ask for the next message holds one page.
 */
export async function* follow(options: FollowOptions): AsyncGenerator<FeedMessage> {
  const { feed, scope, from, signal, isAllowed, beatMs = BEAT_MS, askEveryMs = ASK_EVERY_MS } = options;
  let position = from;
  let asked = performance.now();
  let known = asked;
  let told = asked;

  const mayGoOn = async (): Promise<boolean> => {
    const now = performance.now();
    if (now - asked < askEveryMs) return true;
    asked = now;
    try {
      if (!(await isAllowed())) return false;
      known = now;
    } catch (error) {
      const isOutage = error instanceof ServiceError && error.code === 'unavailable';
      if (!isOutage || now - known > UNKNOWN_MS) throw error;
    }
    return true;
  };

  let page = await feed.read(scope, position, PAGE);
  yield { kind: 'beat', position: encodePosition(position) };
  for (;;) {
    for (const item of page.items) {
      yield messageOf(item);
      told = performance.now();
    }
    position = page.position;
    if (!page.isFull) await waitFor(feed, page.seen, askEveryMs, signal);
    if (signal.aborted || !(await mayGoOn())) return;
    if (performance.now() - told >= beatMs) {
      // Also how far the log has come, so that whoever comes back is not behind what it had nothing of.
      yield { kind: 'beat', position: encodePosition(position) };
      told = performance.now();
    }
    page = await feed.read(scope, position, PAGE);
  }
}

/** For more, and not longer than `ms`. */
const waitFor = async (feed: Feed, seen: number, ms: number, signal: AbortSignal): Promise<void> => {
  const enough = new AbortController();
  const either = AbortSignal.any([signal, enough.signal]);
  await Promise.race([
    feed.more(seen, either),
    pause(ms, undefined, { signal: either }).catch(() => {}),
  ]).finally(() => enough.abort());
};

const messageOf = ({ entry, position }: FeedItem): FeedMessage => {
  const { fragment, recordedAt } = entry;
  const opening = { id: fragment.id, text: fragment.text };
  const fields = fragment.kind === 'turn' ? turnFields(fragment) : observationFields(fragment);
  const data: FeedData = { ...opening, ...fields, recorded_at: new Date(recordedAt).toISOString() };
  return { kind: 'item', position: encodePosition(position), data };
};
