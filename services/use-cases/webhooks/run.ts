/** A webhook as the process delivers it: ahead of what is recorded of it. */
import type { WebhookDocument } from '../../../projections/accounts/webhooks.ts';
import type { FeedPage } from '../feed/feed.ts';
import { decodePosition, encodePosition, type FeedPosition, passedIn } from '../feed/position.ts';
import type { Change } from './moves.ts';

/** A receiver that answers within this is called with more messages at once. */
const PROMPT_MS = 1_000;
/** Messages at once, each of another session. */
const WIDEST = 8;

export interface Run {
  /** As it was last read, or recorded here. */
  webhook: WebhookDocument;
  /** Everything before it is delivered. */
  position: FeedPosition;
  /** The partitions that its cursors name. */
  named: ReadonlySet<string>;
  /** Ids of messages behind the position that are delivered. */
  ahead: Set<string>;
  /** Delivered and not recorded: the ids of notices, and whether there is anything else. */
  told: string[];
  quota: WebhookDocument['quota'];
  isDirty: boolean;
  /** When its position was last recorded, or the run began, by the service's clock. */
  recordedAt: number;
  /** Its position was found to be one of this log. */
  isChecked: boolean;
  /** Failed rounds in a row, since when, and when to try again; Unix milliseconds. */
  failures: number;
  failingSince: string | null;
  retryAt: number;
  /** Attempts of the messages that failed, by their ids. */
  attempts: Map<string, number>;
  /** How many messages are sent at once. */
  width: number;
  /** When the usage of the day is looked at again; Unix milliseconds. */
  capsAt: number;
}

/** Begins at the recorded position. `now`: Unix milliseconds. */
export const beginRun = (webhook: WebhookDocument, now: number): Run => {
  const position = decodePosition(webhook.position) ?? {};
  return {
    webhook,
    position,
    named: passedIn(position),
    ahead: new Set(),
    told: [],
    quota: webhook.quota,
    isDirty: false,
    recordedAt: now,
    isChecked: false,
    failures: 0,
    failingSince: webhook.failing_since,
    retryAt: Number.NEGATIVE_INFINITY,
    attempts: new Map(),
    width: 1,
    capsAt: Number.NEGATIVE_INFINITY,
  };
};

/** Returns what a move of it records. */
export const changeOf = (run: Run): Change => ({
  position: encodePosition(run.position, run.named),
  told: [...run.told],
  quota: run.quota,
  failing_since: run.failingSince,
});

/**
 * Moves the position past what is delivered from its beginning on.
 *
 * @param idOf returns the id of an item's message; undefined for one that is not for this webhook
 */
export const advance = (
  run: Run,
  page: FeedPage,
  idOf: (item: FeedPage['items'][number]) => string | undefined,
): void => {
  run.named = new Set([...run.named, ...page.named]);
  for (const item of page.items) {
    const id = idOf(item);
    if (id !== undefined && !run.ahead.has(id)) return;
    if (id !== undefined) run.ahead.delete(id);
    run.position = item.position;
  }
  run.position = page.position;
};

/** Settles a round that succeeded. */
export const succeeded = (run: Run, tookMs: number): void => {
  Object.assign(run, { failures: 0, failingSince: null, retryAt: Number.NEGATIVE_INFINITY });
  run.attempts.clear();
  run.width = tookMs < PROMPT_MS ? Math.min(WIDEST, run.width * 2) : 1;
};

/** Whether its receiver has shown that it answers promptly. */
export const isProven = ({ width }: Run): boolean => width > 1;
