/** Webhooks of an organization, and the messages that they send. */
import { type Check, makeCheck } from '../ajv.ts';
import type { FromSchema } from '../from-schema.ts';
import { MOST_URL, PAUSE_REASONS, WEBHOOK_EVENTS } from '../webhooks.ts';
import { shownOnce } from './api-keys.ts';
import { body, guarded, json } from './operation.ts';
import {
  component,
  count,
  id,
  instant,
  list,
  nullableString,
  object,
  reference,
  string,
  text,
} from './parts/parts.ts';
import { shortenMember } from './parts/shorten.ts';
import { RIGHTS } from './rights.ts';
import { webhookMessages } from './webhook-messages.ts';

const event = { type: 'string', enum: WEBHOOK_EVENTS } as const;

// ---- request

const createWebhook = component('CreateWebhook', {
  type: 'object',
  required: ['url', 'events'],
  properties: {
    url: {
      ...text(1, MOST_URL),
      description:
        'https, without user information and fragment. An address that is private, loopback, link-local or of another special use is a 422 here, or refused at each delivery where a name leads to it.',
    },
    events: {
      type: 'array',
      minItems: 1,
      maxItems: 16,
      items: event,
      description:
        'turn: a turn was stored; fact: an observation that says an attribute of somebody or something; erased: a user or a session was erased; quota: 80 % and all of a cap of the day are used. The first three need memory:read, quota needs usage:read.',
    },
    user_id: {
      ...id,
      description:
        "Only this user's. Default: the whole organization for a key that may name any user, else the key's own user. It doesn't narrow quota.",
    },
  },
});
export type CreateWebhookBody = FromSchema<typeof createWebhook.schema>;
const checkCreateWebhook: Check<CreateWebhookBody> = makeCheck(createWebhook.schema, {
  shorten: value => shortenMember(value, 'events', createWebhook.schema.properties.events.maxItems),
});

// ---- answers

const members = {
  id: string,
  url: string,
  events: list(event),
  user_id: { ...nullableString, description: 'Null: every user.' },
  key_id: {
    ...string,
    description: 'The key whose rights it has: that of its creator, or of whoever resumed it last.',
  },
  created_at: instant,
  state: {
    type: 'string',
    enum: ['active', 'retrying', 'paused'],
    description: 'retrying: its receiver fails, and is tried again with longer and longer pauses.',
  },
  failing_since: {
    ...instant,
    type: ['string', 'null'],
    description: 'Since when every attempt fails; after 24 hours it is paused.',
  },
  paused: {
    ...object({
      at: instant,
      reason: {
        type: 'string',
        enum: PAUSE_REASONS,
        description:
          "failing: every attempt of 24 hours failed; gone: the receiver answered 410; key: the key is revoked or has expired; position: the log ends before the webhook's position.",
      },
    }),
    type: ['object', 'null'],
  },
  dropped: {
    ...count,
    description: 'Messages of erasures that were not delivered, because more than 200 of them waited.',
  },
} as const;

const webhook = component('Webhook', object(members));
const webhooks = component('Webhooks', object({ webhooks: list(reference(webhook)) }));
const newWebhook = component('NewWebhook', object({ ...members, secret: shownOnce }));

const delivery = component(
  'WebhookDelivery',
  object({
    webhook_id: { ...string, description: 'The header webhook-id: that of the message, in every attempt.' },
    event,
    attempt: { type: 'integer', minimum: 1, description: 'Counted since the process began with it.' },
    at: instant,
    status: { type: 'string', enum: ['delivered', 'failed'] },
    http_status: {
      type: ['integer', 'null'],
      minimum: 100,
      maximum: 999,
      description: 'Of the answer; null: there was none.',
    },
    reason: {
      ...nullableString,
      description:
        'Why it failed: status, redirect, address (the name has no address that may be called), timeout, connection.',
    },
    duration_ms: count,
  }),
);
const deliveries = component('WebhookDeliveries', object({ deliveries: list(reference(delivery)) }));

export type WebhookAnswer = FromSchema<typeof webhook.schema>;
export type NewWebhookAnswer = FromSchema<typeof newWebhook.schema>;
export type DeliveryAnswer = FromSchema<typeof delivery.schema>;

const example: WebhookAnswer = {
  id: 'whk_5c3ef9a41b7d2e605c3ef9a41b7d2e60',
  url: 'https://example.com/turnstone',
  events: ['turn', 'erased'],
  user_id: null,
  key_id: '3a34f8c3bba037b0',
  created_at: '2026-03-09T09:30:00.000Z',
  state: 'active',
  failing_since: null,
  paused: null,
  dropped: 0,
};

const deliveryExample: DeliveryAnswer = {
  webhook_id: 'msg_6b1c1f2bb4b1f9c5d7a3e0f1a2b3c4d5',
  event: 'turn',
  attempt: 1,
  at: '2026-03-09T09:31:00.000Z',
  status: 'delivered',
  http_status: 200,
  reason: null,
  duration_ms: 31,
};

// ---- endpoints

export const webhookOperations = {
  listWebhooks: guarded({
    method: 'get',
    path: '/me/webhooks',
    summary: 'List webhooks',
    description: "All of the organization's with *; those bound to the caller's own user without.",
    tag: 'Accounts',
    ...RIGHTS.listWebhooks,
    answer: json(200, 'Oldest first, without their secrets.', webhooks, { webhooks: [example] }),
    statuses: [503],
  }),
  createWebhook: guarded({
    method: 'post',
    path: '/me/webhooks',
    summary: 'Create a webhook',
    description:
      'What is written from now on is sent to the address: one POST a message, signed as Standard Webhooks has it, at least once, in order within a session, retried for 24 hours. It has the rights of the key that creates it, and is paused when that key ends. An organization has at most ten (409).',
    tag: 'Accounts',
    ...RIGHTS.createWebhook,
    request: body(createWebhook, checkCreateWebhook, {
      url: 'https://example.com/turnstone',
      events: ['turn', 'erased'],
    }),
    answer: {
      ...json(201, 'The webhook; its secret is shown only now.', newWebhook, {
        ...example,
        secret: 'whsec_…',
      }),
      pieces: webhookMessages,
    },
    statuses: [409, 503],
  }),
  deleteWebhook: guarded({
    method: 'delete',
    path: '/me/webhooks/{id}',
    summary: 'Delete a webhook',
    description: 'A message that is under way may still arrive. Without *, those of other users are a 404.',
    tag: 'Accounts',
    ...RIGHTS.deleteWebhook,
    answer: { status: 204, description: 'Deleted.' },
    statuses: [404, 503],
  }),
  listWebhookDeliveries: guarded({
    method: 'get',
    path: '/me/webhooks/{id}/deliveries',
    summary: 'List the last deliveries of a webhook',
    description: 'The last hundred attempts, newest first, without their words. Kept for a week at most.',
    tag: 'Accounts',
    ...RIGHTS.listWebhookDeliveries,
    answer: json(200, 'Newest first.', deliveries, { deliveries: [deliveryExample] }),
    statuses: [404, 503],
  }),
  resumeWebhook: guarded({
    method: 'post',
    path: '/me/webhooks/{id}/resume',
    summary: 'Resume a webhook',
    description:
      "It goes on from where it stopped, at once, with the rights of the caller's key, which must have those that its events need. One that isn't paused tries again at once.",
    tag: 'Accounts',
    ...RIGHTS.resumeWebhook,
    answer: json(200, 'The webhook.', webhook, example),
    statuses: [404, 503],
  }),
};
