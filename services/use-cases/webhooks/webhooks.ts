import { ServiceError, unavailable } from '../../../core/errors.ts';
import type { AccountStore, KeyStore, WebhookDeliveries } from '../../../core/ports.ts';
import type { Principal } from '../../../core/use-cases.ts';
import { type WebhookDocument, webhookState } from '../../../projections/accounts/webhooks.ts';
import type {
  CreateWebhookBody,
  DeliveryAnswer,
  NewWebhookAnswer,
  WebhookAnswer,
} from '../../../schemas/http/webhooks.ts';
import type { WebhookEvent } from '../../../schemas/webhooks.ts';
import { type AccountContext, accountEvent } from '../accounts/account-events.ts';
import type { Random } from '../accounts/keys/api-key.ts';
import { makeCap } from '../accounts/keys/cap.ts';
import type { ToldErasure } from '../erasure/erase.ts';
import type { Feed } from '../feed/feed.ts';
import { atPositions, encodePosition } from '../feed/position.ts';
import { recordMove } from './moves.ts';
import { receiverUrl } from './receiver-url.ts';
import { assertMay, handles, userOf } from './rights.ts';
import { sealSecret } from './secrets.ts';
import { newSecret } from './sign.ts';

/** Webhooks of an organization. */
const MOST_WEBHOOKS = 10;
/** Attempts to move a webhook that others move at the same time. */
const MOST_ROUNDS = 5;

export interface WebhookPorts {
  /** With the payers of what callers append. */
  store: Pick<AccountStore, 'get' | 'list' | 'record'>;
  keys: Pick<KeyStore, 'forSession'>;
  feed: Pick<Feed, 'ends' | 'namesAt'>;
  deliveries: Pick<WebhookDeliveries, 'last'>;
  /** Unix milliseconds. */
  clock: () => number;
  random: Random;
  /** Whether receivers may be private and speak http. */
  isPrivateAllowed: boolean;
}

export interface Webhooks {
  list(caller: Principal): Promise<WebhookAnswer[]>;
  create(caller: Principal, body: CreateWebhookBody, context: AccountContext): Promise<NewWebhookAnswer>;
  remove(caller: Principal, id: string, context: AccountContext): Promise<void>;
  deliveries(caller: Principal, id: string): Promise<DeliveryAnswer[]>;
  resume(caller: Principal, id: string, context: AccountContext): Promise<WebhookAnswer>;
  /** Queues an erasure for the webhooks that are to be told of it. */
  erased(erasure: ToldErasure, correlationId: string): Promise<void>;
}

const answerOf = (webhook: WebhookDocument): WebhookAnswer => ({
  id: webhook.webhook_id,
  url: webhook.url,
  events: [...webhook.events],
  user_id: webhook.user_id,
  key_id: webhook.key_id,
  created_at: webhook.created_at,
  state: webhookState(webhook),
  failing_since: webhook.failing_since,
  paused: webhook.paused && { ...webhook.paused },
  dropped: webhook.dropped,
});

const isThere = (webhook: WebhookDocument | undefined): webhook is WebhookDocument =>
  webhook !== undefined && webhook.deleted_at === undefined;

const missing = (): ServiceError => new ServiceError('not_found', 'There is no such webhook.');
const full = (): ServiceError =>
  new ServiceError('conflict', `The organization has ${MOST_WEBHOOKS} webhooks; delete one first.`);

/** The calls about an organization's webhooks. Each delivers by itself (deliverer.ts). */
export const makeWebhooks = (ports: WebhookPorts): Webhooks => {
  const { store, keys, feed, clock, random, isPrivateAllowed } = ports;
  const withinCap = makeCap();

  const living = async (org: string): Promise<WebhookDocument[]> =>
    (await store.list('webhook', org)).filter(isThere);

  /** Throws `not_found` for one that is not the caller's to handle, too. */
  const known = async (caller: Principal, id: string): Promise<WebhookDocument> => {
    const found = await store.get('webhook', id);
    if (!isThere(found) || !handles(caller, found)) throw missing();
    return found;
  };

  /** Where a webhook begins that is made now: at the end of the log. */
  const now = async (org: string): Promise<string> => {
    const position = atPositions(await feed.ends());
    return encodePosition(position, await feed.namesAt(org, position));
  };

  const notice = async (
    webhook: WebhookDocument,
    { org, user, session, id, erasedAt }: ToldErasure,
    correlationId: string,
  ): Promise<void> => {
    const about = { org, now: clock(), context: { correlationId } };
    await store.record(
      accountEvent('webhook.noticed', `${webhook.webhook_id}:${id}`, about, {
        webhook_id: webhook.webhook_id,
        ...{ id, user_id: user, session_id: session ?? null, erased_at: erasedAt },
      }),
    );
  };

  return {
    list: async caller => {
      const all = (await living(caller.orgId)).filter(webhook => handles(caller, webhook));
      return all.sort((a, b) => (a.created_at < b.created_at ? -1 : 1)).map(answerOf);
    },

    create: async (caller, body, context) => {
      const user = userOf(caller, body.user_id);
      const url = receiverUrl(body.url, isPrivateAllowed);
      const events = [...new Set<WebhookEvent>(body.events)];
      assertMay(caller, events, user);
      const org = caller.orgId;
      const id = `whk_${Buffer.from(random(16)).toString('hex')}`;
      const secret = newSecret(random);
      const cap = { name: org, most: MOST_WEBHOOKS, count: async () => (await living(org)).length, full };
      await withinCap(cap, async () => {
        const sealed = await sealSecret(keys, { org, id, secret });
        const about = { org, now: clock(), context };
        const position = await now(org);
        const made = {
          webhook_id: id,
          url,
          events,
          user_id: user,
          key_id: caller.keyId,
          ...sealed,
          position,
        };
        const outcome = await store.record(accountEvent('webhook.created', id, about, made));
        if (outcome === 'conflict') throw new Error('two webhooks with one id');
      });
      return { ...answerOf((await store.get('webhook', id))!), secret };
    },

    remove: async (caller, id, context) => {
      const { org_id: org } = await known(caller, id);
      const event = accountEvent('webhook.deleted', id, { org, now: clock(), context }, { webhook_id: id });
      if ((await store.record(event)) === 'conflict') throw missing();
    },

    deliveries: async (caller, id) => {
      await known(caller, id);
      const last = await ports.deliveries.last(caller.orgId, id);
      return last.map(one => ({
        webhook_id: one.id,
        event: one.event as WebhookEvent,
        attempt: one.attempt,
        at: new Date(one.at).toISOString(),
        status: one.isDelivered ? 'delivered' : 'failed',
        http_status: one.status,
        reason: one.reason,
        duration_ms: one.durationMs,
      }));
    },

    resume: async (caller, id, context) => {
      for (let round = 0; round < MOST_ROUNDS; round++) {
        const webhook = await known(caller, id);
        assertMay(caller, webhook.events, webhook.user_id);
        const change = { key_id: caller.keyId, failing_since: null, paused: null };
        if (await recordMove({ store, clock }, webhook, change, context.correlationId))
          return answerOf(await known(caller, id));
      }
      throw unavailable('The webhook is being moved by others.');
    },

    erased: async (erasure, correlationId) => {
      const told = (await living(erasure.org)).filter(
        ({ events, user_id }) => events.includes('erased') && (user_id ?? erasure.user) === erasure.user,
      );
      for (const webhook of told) await notice(webhook, erasure, correlationId);
    },
  };
};
