import type { Delivery, WebhookDeliveries, WebhookLeases } from '../../../core/ports/webhooks/webhooks.ts';
import { DAY_MS } from '../../../core/time.ts';
import { keysOfOrganization, nameInKey } from './key-names.ts';
import { type RedisClient, redisScript } from './redis-client.ts';

const MOST_DELIVERIES = 100;
const KEPT_MS = 7 * DAY_MS;

/** KEYS[1]: a string, the owner. ARGV: the owner, milliseconds. Returns whether it is the owner's. */
const hold = redisScript(
  `local owner = redis.call('GET', KEYS[1])
  if owner and owner ~= ARGV[1] then return 0 end
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return 1`,
  { evenWhenFull: true },
);

const release = redisScript(
  `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
  return 0`,
  { evenWhenFull: true },
);

/** KEYS[1]: a list, newest first. ARGV: its greatest index, milliseconds, and what is new, oldest first. */
const note = redisScript(
  `for i = 3, #ARGV do redis.call('LPUSH', KEYS[1], ARGV[i]) end
  redis.call('LTRIM', KEYS[1], 0, ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return 0`,
);

/** Opens leases and the last deliveries in Redis. One that was wiped has forgotten them. */
export const openRedisWebhooks = ({
  redis,
  namespace,
}: {
  redis: RedisClient;
  namespace: string;
}): { leases: WebhookLeases; deliveries: WebhookDeliveries } => {
  const keyOf = (org: string, webhookId: string, what: 'lease' | 'deliveries'): string =>
    `${keysOfOrganization(namespace, org)}webhook:${what}:${nameInKey(webhookId)}`;
  return {
    leases: {
      hold: async (org, webhookId, owner, ms) =>
        (await hold(redis, [keyOf(org, webhookId, 'lease')], [owner, ms])) === 1,
      release: async (org, webhookId, owner) => {
        await release(redis, [keyOf(org, webhookId, 'lease')], [owner]);
      },
    },
    deliveries: {
      note: async (org, deliveries) => {
        const byWebhook = Map.groupBy(deliveries, ({ webhookId }) => webhookId);
        for (const [webhookId, those] of byWebhook)
          await note(
            redis,
            [keyOf(org, webhookId, 'deliveries')],
            [MOST_DELIVERIES - 1, KEPT_MS, ...those.map(one => JSON.stringify(one))],
          );
      },
      last: async (org, webhookId) => {
        const texts = await redis.lrange(keyOf(org, webhookId, 'deliveries'), 0, -1);
        return texts.map(text => JSON.parse(text) as Delivery);
      },
    },
  };
};
