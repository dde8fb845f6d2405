import { expect, it } from 'vitest';
import type { Delivery, WebhookDeliveries } from '../../core/ports.ts';
import type { RedisClient } from '../../infra/cluster/redis/redis-client.ts';
import { openRedisWebhooks } from '../../infra/cluster/redis/webhooks.ts';
import { makeWebhookDeliveries } from '../../infra/embedded/webhook-deliveries.ts';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { clusterConfig } from '../support/engines/engines.ts';
import { makeNamespaces } from '../support/engines/redis.ts';
import { until } from '../support/wait.ts';

const attempt = (webhookId: string, n: number): Delivery => ({
  ...{ webhookId, id: `msg_${n}`, event: 'turn', attempt: 1, at: n, isDelivered: n % 2 === 0 },
  ...{ status: n % 2 === 0 ? 200 : null, reason: n % 2 === 0 ? null : 'timeout', durationMs: n },
});

const keepsTheLast = (open: () => WebhookDeliveries): void => {
  it('deliveries are kept by webhook, the last hundred, newest first', async () => {
    const deliveries = open();
    expect(await deliveries.last('acme', 'w1')).toEqual([]);
    for (let n = 0; n < 130; n += 2) {
      await deliveries.note('acme', [attempt('w1', n), attempt('w1', n + 1)]);
      if (n === 0) await deliveries.note('acme', [attempt('w2', n)]);
    }
    expect(await deliveries.last('acme', 'w1')).toEqual(
      Array.from({ length: 100 }, (_, i) => attempt('w1', 129 - i)),
    );
    expect(await deliveries.last('acme', 'w2')).toEqual([attempt('w2', 0)]);
  });
};

describeInBothModes('what webhooks need of an engine', {
  embedded: () => keepsTheLast(makeWebhookDeliveries),
  cluster: () => {
    let redis: RedisClient;
    const namespace = makeNamespaces(clusterConfig(), connected => {
      redis = connected;
    });
    keepsTheLast(() => openRedisWebhooks({ redis, namespace: namespace() }).deliveries);

    it('a lease is one owner’s until it is released or not renewed in time', async () => {
      const { leases } = openRedisWebhooks({ redis, namespace: namespace() });
      const hold = (owner: string, ms = 60_000) => leases.hold('acme', 'w', owner, ms);
      expect(await hold('a')).toBe(true);
      expect(await hold('a')).toBe(true);
      expect(await hold('b')).toBe(false);
      // Nobody releases what is another one's.
      await leases.release('acme', 'w', 'b');
      expect(await hold('b')).toBe(false);
      await leases.release('acme', 'w', 'a');
      expect(await hold('b', 50)).toBe(true);
      await until('it has ended', () => hold('a'));
      expect(await leases.hold('acme', 'another', 'b', 1_000)).toBe(true);
    });
  },
});
