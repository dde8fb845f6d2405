/** Describes webhooks and their deliveries. */

import type { Role } from '../../../../schemas/http/parts/roles.ts';
import type { PauseReason, WebhookEvent } from '../../../../schemas/webhooks.ts';
import type { Webhook, WebhookDelivery } from '../../api/types.ts';
import { dateTime, number } from '../../words/numbers.ts';

/** The events, each with the role that it needs. */
export const EVENTS: Record<WebhookEvent, { words: string; needs: Role }> = {
  turn: { words: 'a turn was stored', needs: 'memory:read' },
  fact: { words: 'a fact was stored', needs: 'memory:read' },
  erased: { words: 'a user or a session was erased', needs: 'memory:read' },
  quota: { words: "80 %, or all, of a day's cap is used", needs: 'usage:read' },
};
export const EVENT_NAMES = Object.keys(EVENTS) as WebhookEvent[];

const PAUSES: Record<PauseReason, string> = {
  failing: 'every attempt of 24 hours failed',
  gone: 'its receiver answered 410, gone',
  key: 'the key that it acts for is revoked or has expired',
  position: 'the log ends before its position, as after a restore from an older copy',
};

/** Returns why it doesn't deliver; undefined while it does. */
export const troubleOf = ({ paused, failing_since }: Webhook): string | undefined => {
  if (paused) return `Since ${dateTime(paused.at)} UTC: ${PAUSES[paused.reason]}.`;
  if (failing_since === null) return undefined;
  const since = `Every attempt has failed since ${dateTime(failing_since)} UTC.`;
  return `${since} It is tried again with longer and longer pauses, and paused after 24 hours.`;
};

/** Returns a sentence about erasures that were not told; undefined if all were. */
export const droppedOf = ({ dropped }: Webhook): string | undefined =>
  dropped === 0
    ? undefined
    : `${number(dropped)} ${dropped === 1 ? 'erasure was' : 'erasures were'} not told: more than 200 waited.`;

const REASONS: Record<string, string> = {
  status: 'not accepted',
  redirect: 'a redirect, which is not followed',
  address: 'the name has no address that may be called',
  timeout: 'no answer within 10 s',
  connection: 'no connection',
};

/** Describes how an attempt ended: `accepted with 200`, `503: not accepted`. */
export const outcomeOf = ({ status, http_status, reason }: WebhookDelivery): string => {
  if (status === 'delivered') return http_status === null ? 'accepted' : `accepted with ${http_status}`;
  const why = reason === null ? 'failed' : (REASONS[reason] ?? reason);
  return http_status === null ? why : `${http_status}: ${why}`;
};
