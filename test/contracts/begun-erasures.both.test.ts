import { expect, it } from 'vitest';
import type { BegunErasures } from '../../core/ports.ts';
import { makeBegunErasures } from '../../infra/cluster/redis/begun-erasures.ts';
import type { RedisClient } from '../../infra/cluster/redis/redis-client.ts';
import { makeBegunHere } from '../../services/use-cases/erasure/begun-here.ts';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { clusterConfig } from '../support/engines/engines.ts';
import { makeNamespaces, redisKeys } from '../support/engines/redis.ts';

const ADA = { org: 'acme', user: 'ada' };
const TALK = { ...ADA, session: 'talk' };
const [first, second] = [
  { topic: 'turns', partition: 3 } as const,
  { topic: 'observations', partition: 3 } as const,
];

const keepsErasures = async (one: BegunErasures, other: BegunErasures): Promise<void> => {
  expect(await one.begun(ADA)).toEqual([]);
  await one.begin(ADA, [first]);
  await one.begin(ADA, [first, second]);
  expect(await other.begun(ADA)).toEqual([first, second]);
  for (const scope of [TALK, { ...ADA, org: 'globex' }, { ...ADA, user: 'ben' }])
    expect(await other.begun(scope)).toEqual([]);
  await one.begin(TALK, [second]);
  await other.end(ADA);
  expect([await one.begun(ADA), await one.begun(TALK)]).toEqual([[], [second]]);
};

describeInBothModes('begun erasures', {
  embedded: () => {
    it('are kept until they end, each by its scope', async () => {
      const here = makeBegunHere();
      await keepsErasures(here, here);
    });
  },
  cluster: () => {
    let redis: RedisClient;
    const newNamespace = makeNamespaces(clusterConfig(), opened => {
      redis = opened;
    });

    it('are kept for all processes until they end or for a day, each by its scope, and name nobody', async () => {
      const namespace = newNamespace();
      const opened = () => makeBegunErasures({ redis, namespace });
      await keepsErasures(opened(), opened());
      const keys = await redisKeys(redis, namespace);
      expect(keys).toHaveLength(1);
      expect(keys[0]).not.toContain('talk');
      expect(await redis.pttl(keys[0]!)).toBeGreaterThan(86_000_000);
    });
  },
});
