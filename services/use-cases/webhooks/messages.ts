import { createHash } from 'node:crypto';
import type { FeedEntry } from '../../../core/ports.ts';
import type { WebhookNotice } from '../../../schemas/events/webhooks.ts';
import type { FeedData } from '../../../schemas/http/parts/hits.ts';
import type { WebhookEvent } from '../../../schemas/webhooks.ts';
import { dataOf } from '../feed/follow.ts';
import { factFields } from '../lists/facts/fact-fields.ts';

/** A message before it is signed. */
export interface Message {
  id: string;
  event: WebhookEvent;
  /** RFC 3339: when it happened. */
  timestamp: string;
  data: object;
}

/** Returns the id of a message, which is the same in every attempt, by whichever process. */
export const messageIdOf = (webhookId: string, about: string): string =>
  `msg_${createHash('sha256').update(`${webhookId}\n${about}`).digest('hex').slice(0, 32)}`;

/** Returns the event that an entry of the feed is; undefined for an observation that says no attribute. */
export const eventOf = ({ fragment }: FeedEntry): WebhookEvent | undefined => {
  if (fragment.kind === 'turn') return 'turn';
  return fragment.fact === undefined ? undefined : 'fact';
};

export const ofEntry = (webhookId: string, event: WebhookEvent, entry: FeedEntry): Message => {
  const data: FeedData = dataOf(entry);
  return {
    id: messageIdOf(webhookId, data.id),
    event,
    timestamp: data.recorded_at,
    data: { ...data, ...factFields(entry.fragment.fact) },
  };
};

export const ofNotice = (
  webhookId: string,
  { id, user_id, session_id, erased_at }: WebhookNotice,
): Message => ({
  id: messageIdOf(webhookId, id),
  event: 'erased',
  timestamp: erased_at,
  data: { user_id, session_id, erased_at },
});

/** A cap of a day, of which so much is used. */
export interface ReachedCap {
  cap: 'tokens_in' | 'tokens_out';
  percent: number;
  used: number;
  limit: number;
  /** YYYY-MM-DD, UTC. */
  day: string;
}

/** The name under which it is remembered that a cap was told. */
export const markOf = ({ cap, percent }: Pick<ReachedCap, 'cap' | 'percent'>): string => `${cap}:${percent}`;

export const ofCap = (webhookId: string, reached: ReachedCap, now: number): Message => ({
  id: messageIdOf(webhookId, `${reached.day} ${markOf(reached)}`),
  event: 'quota',
  timestamp: new Date(now).toISOString(),
  data: { ...reached },
});

export const bodyOf = ({ event, timestamp, data }: Message): string =>
  JSON.stringify({ type: event, timestamp, data });
