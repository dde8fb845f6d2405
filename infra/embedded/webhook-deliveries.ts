import { boundedMap } from '../../core/caches/bounded-map.ts';
import type { Delivery, WebhookDeliveries } from '../../core/ports/webhooks/webhooks.ts';

const MOST_WEBHOOKS = 1_000;
const MOST_DELIVERIES = 100;

/** Keeps the last attempts in memory, until the process ends. */
export const makeWebhookDeliveries = (): WebhookDeliveries => {
  const kept = boundedMap<readonly Delivery[]>(MOST_WEBHOOKS);
  return {
    note: async (_org, deliveries) => {
      for (const one of deliveries)
        kept.set(one.webhookId, [one, ...(kept.get(one.webhookId) ?? [])].slice(0, MOST_DELIVERIES));
    },
    last: async (_org, webhookId) => [...(kept.get(webhookId) ?? [])],
  };
};
