import { ServiceError } from '../../../core/errors.ts';
import type { FeedEntry } from '../../../core/ports.ts';
import type { FeedMessage } from '../../../core/use-cases.ts';
import type { FeedData } from '../../../schemas/http/parts/hits.ts';
import { observationFields, turnFields } from '../recall/receipt/hit.ts';
import type { Feed, FeedScope, FeedStream } from './feed.ts';
import { encodePosition, type FeedPosition } from './position.ts';
import type { FeedItem } from './read-page.ts';

/** Entries per read. A text has up to 64 KiB, and a stream must not hold many of them in memory. */
const PAGE = 64;
const BEAT_MS = 15_000;
/** An expired token or a revoked key is detected within this time. */
const ASK_EVERY_MS = 2_000;
/** A stream ends when its authorization could not be checked for longer than this. */
const UNKNOWN_MS = 20_000;

export interface FollowOptions {
  feed: Feed;
  scope: FeedScope;
  from: FeedPosition;
  /** The partitions that a cursor at `from` names. */
  named?: ReadonlySet<string>;
  signal: AbortSignal;
  /** False: the token has expired or its key is revoked. Throws `unavailable` when that can't be checked. */
  isAllowed: () => Promise<boolean>;
  /** For tests. */
  beatMs?: number;
  askEveryMs?: number;
}

/**
 * Yields all entries of a scope after a position, then new ones, until the client disconnects or loses its
 * access. The first message follows the first successful read. A reader that doesn't pull the next message
 * holds one page.
 */
export async function* follow(options: FollowOptions): AsyncGenerator<FeedMessage> {
  const stream = options.feed.open(options.scope, options.from, options.named);
  try {
    yield* messagesOf(stream, options);
  } finally {
    stream.close();
  }
}

async function* messagesOf(stream: FeedStream, options: FollowOptions): AsyncGenerator<FeedMessage> {
  const { from, signal, isAllowed, beatMs = BEAT_MS, askEveryMs = ASK_EVERY_MS } = options;
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

  let page = await stream.read(PAGE);
  yield { kind: 'beat', position: encodePosition(position, page.named) };
  for (;;) {
    for (const item of page.items) {
      yield messageOf(item, page.named);
      told = performance.now();
    }
    position = page.position;
    // Streams that began together don't wake together.
    if (!page.isFull) await stream.more(askEveryMs * (0.5 + Math.random() / 2), signal);
    if (signal.aborted || !(await mayGoOn())) return;
    if (performance.now() - told >= beatMs) {
      // The beat carries the position, so a client that reconnects doesn't reread records outside its scope.
      yield { kind: 'beat', position: encodePosition(position, page.named) };
      told = performance.now();
    }
    page = await stream.read(PAGE);
  }
}

/** Returns the turn or the observation as the feed sends it. */
export const dataOf = ({ fragment, recordedAt }: Pick<FeedEntry, 'fragment' | 'recordedAt'>): FeedData => {
  const opening = { id: fragment.id, text: fragment.text };
  const fields = fragment.kind === 'turn' ? turnFields(fragment) : observationFields(fragment);
  return { ...opening, ...fields, recorded_at: new Date(recordedAt).toISOString() };
};

const messageOf = ({ entry, position }: FeedItem, named: ReadonlySet<string>): FeedMessage => ({
  kind: 'item',
  position: encodePosition(position, named),
  data: dataOf(entry),
});
