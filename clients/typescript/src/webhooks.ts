import {
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  resumeWebhook,
} from './operations.ts';
import type { CallOptions } from './options.ts';
import { listOf } from './transport/answer.ts';
import type { Caller } from './transport/caller.ts';
import { optionsOf } from './transport/requests.ts';
import type { NewWebhook, Webhook, WebhookDelivery, WebhookEvent } from './types.ts';

export interface CreateWebhookOptions extends CallOptions {
  /** https. */
  url: string;
  events: WebhookEvent[];
  /** Only this user's. Default: all that the key may see. */
  user?: string | undefined;
}

/** Webhooks: the organization's with `*`, else those of the own user; needs the role `keys:manage`. */
export interface Webhooks {
  list(options?: CallOptions): Promise<Webhook[]>;
  /**
   * `secret` signs its messages (`verifyWebhook`) and is shown only this once. Not retried, because a failed
   * attempt may have created a webhook.
   */
  create(options: CreateWebhookOptions): Promise<NewWebhook>;
  delete(id: string, options?: CallOptions): Promise<void>;
  /** The last attempts, newest first, without words. */
  deliveries(id: string, options?: CallOptions): Promise<WebhookDelivery[]>;
  /** It goes on from where it stopped, with the rights of this key. */
  resume(id: string, options?: CallOptions): Promise<Webhook>;
}

export const makeWebhooks = ({ call }: Caller): Webhooks => ({
  list: async options => listOf(await call(listWebhooks(), options), 'webhooks'),
  create: async webhook => {
    const { url, events, user, ...options } = optionsOf(webhook);
    return call(createWebhook({ url, events, user_id: user }), options);
  },
  delete: async (id, options) => call(deleteWebhook(id), options),
  deliveries: async (id, options) => listOf(await call(listWebhookDeliveries(id), options), 'deliveries'),
  resume: async (id, options) => call(resumeWebhook(id), options),
});
