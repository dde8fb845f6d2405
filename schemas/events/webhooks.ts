/** Webhooks, in the topic `accounts`: what was made of them, how far they have come, what waits for them. */
import { PAUSE_REASONS, type PauseReason, WEBHOOK_EVENTS, type WebhookEvent } from '../webhooks.ts';

export interface WebhookCreated {
  webhook_id: string;
  url: string;
  events: WebhookEvent[];
  /** Null: every user's. */
  user_id: string | null;
  /** The key whose rights it has. */
  key_id: string;
  /** The secret that signs its messages, base64; sealed for its organization and id. */
  sealed_secret: string;
  /** The id of the sealing key. */
  sealing_key: string;
  /** Where it begins, in the words of the feed's cursors (services/use-cases/feed/position.ts). */
  position: string;
}

/**
 * How far a webhook has come. Two processes may believe that it is theirs: of two moves with one number the
 * first in the log counts.
 */
export interface WebhookMoved {
  webhook_id: string;
  /** One more than that of the move before. */
  number: number;
  key_id: string;
  position: string;
  /** Ids of notices that need not be told any more. */
  told: string[];
  /** The caps of a day that it was told of: `tokens_in:80`. */
  quota: { day: string; told: string[] } | null;
  /** RFC 3339, UTC, milliseconds; null: its last attempt succeeded. */
  failing_since: string | null;
  paused: { at: string; reason: PauseReason } | null;
}

/** Something to tell that the feed doesn't have: a user or one session was erased. */
export interface WebhookNotice {
  /** The id of the erasure. */
  id: string;
  user_id: string;
  /** Null: all of the user's. */
  session_id: string | null;
  /** RFC 3339, UTC, milliseconds. */
  erased_at: string;
}

export interface WebhookNoticed extends WebhookNotice {
  webhook_id: string;
}

export interface WebhookDeleted {
  webhook_id: string;
}

const string = { type: 'string', minLength: 1 } as const;
const optional = { type: ['string', 'null'] } as const;
const strings = { type: 'array', items: string } as const;

const object = (properties: Record<string, object>) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

export const webhookEventSchemas = {
  'webhook.created': object({
    webhook_id: string,
    url: string,
    events: { type: 'array', minItems: 1, items: { enum: WEBHOOK_EVENTS } },
    user_id: optional,
    key_id: string,
    sealed_secret: string,
    sealing_key: string,
    position: string,
  }),
  'webhook.moved': object({
    webhook_id: string,
    number: { type: 'integer', minimum: 1 },
    key_id: string,
    position: string,
    told: strings,
    quota: { ...object({ day: string, told: strings }), type: ['object', 'null'] },
    failing_since: optional,
    paused: { ...object({ at: string, reason: { enum: PAUSE_REASONS } }), type: ['object', 'null'] },
  }),
  'webhook.noticed': object({
    webhook_id: string,
    id: string,
    user_id: string,
    session_id: optional,
    erased_at: string,
  }),
  'webhook.deleted': object({ webhook_id: string }),
};
