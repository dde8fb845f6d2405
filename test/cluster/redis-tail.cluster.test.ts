import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRedisAdmission, type RebuiltFrom } from '../../infra/cluster/redis/admission/admission.ts';
import { makeSealedTail } from '../../infra/cluster/redis/admission/sealed-tail.ts';
import { openRedis, type RedisGate } from '../../infra/cluster/redis/gate/gate.ts';
import { keysOfOrganization } from '../../infra/cluster/redis/key-names.ts';
import { NOW } from '../contracts/openers/cluster-admission.ts';
import { clusterConfig } from '../support/engines/engines.ts';
import { canStartRedis } from '../support/engines/own-redis.ts';
import { redisContents } from '../support/engines/redis.ts';
import { type OwnRedis, startOwnRedis } from '../support/engines/redis-server.ts';
import { wordsIn, wordsInFolder } from '../support/files/find-words.ts';
import { sessionKey, tailTurn, turnRecorded } from '../support/worlds/builders.ts';
import { asked } from '../support/worlds/cluster-admission-world.ts';

const WORDS = ['marmalade', 'Tallinn', 'Zora', 'xylophone'];
const turn = turnRecorded(1, {
  text: 'The marmalade is in Tallinn',
  observations: ['Zora owns a xylophone'],
});
const ADDRESS = { partition: 0, offset: 0 };
const job = { id: 'job_1', org: 'acme', user: 'ada', session: 's1', turnIds: [turn.id], passive: true };

if (!canStartRedis && process.env.CI) throw new Error('redis-server must be installed');
describe.skipIf(!canStartRedis)('the tail in Redis', () => {
  let own: OwnRedis;
  let gate: RedisGate<RebuiltFrom>;
  const destroyed = new Set<string>();
  const tail = makeSealedTail({
    byId: async id => (destroyed.has(id) ? undefined : sessionKey().sealing),
  });
  const config = clusterConfig({ namespace: 'tail' });
  const open = () =>
    openRedisAdmission({
      gate,
      namespace: config.namespace,
      tail,
      clock: () => NOW,
      isIndexed: async () => new Map(),
      partitions: 4,
      mostTail: 50_000,
      mostTailBytes: 64 * 1024 * 1024,
    });
  const held = tailTurn({ ...turn, ...ADDRESS });
  const write = async (admission = open()) => {
    const admitted = await admission.admit(asked([turn]));
    if (admitted.kind === 'refused') throw new Error('refused');
    await admission.remember(admitted.attempt, {
      turns: [held],
      job: { ...job, keyId: held.keyId, ...ADDRESS },
    });
    return admission;
  };
  const recalled = async (admission: ReturnType<typeof open>) => {
    const admitted = await admission.admit(asked([], { recall: { org: 'acme', user: 'ada' } }));
    return admitted.kind === 'admitted' ? admitted.tail : [];
  };
  const wordsInMemory = async (): Promise<string[]> =>
    wordsIn(Buffer.from(JSON.stringify(await redisContents(own.redis, config.namespace))), WORDS);

  beforeEach(async () => {
    destroyed.clear();
    // Its file as plain commands: a compressed one could hide a word.
    own = await startOwnRedis('--appendonly', 'yes', '--appendfsync', 'always', '--rdbcompression', 'no');
    gate = openRedis({
      config: { ...config, redisUrl: own.url },
      rebuild: async () => ({ floor: {}, lookUpUntil: 0 }),
      onTrouble: () => {},
    });
    await gate.opened();
  });
  afterEach(async () => {
    gate.close();
    await own.close();
  });

  it('has no word in its memory or in its append-only file, and is read nevertheless', async () => {
    const admission = await write();
    const [, folder] = (await own.redis.config('GET', 'dir')) as [string, string];
    expect(await own.redis.hlen(`${keysOfOrganization(config.namespace, 'acme')}t:ada`)).toBe(1);
    expect(await wordsInMemory()).toEqual([]);
    await own.redis.save();
    expect(Object.keys(wordsInFolder(folder, [turn.id])).join()).toMatch(/\.aof/);
    expect(wordsInFolder(folder, WORDS)).toEqual({});
    expect(await admission.tail({ org: 'acme', user: 'ada' })).toEqual([held]);
    expect(await recalled(admission)).toEqual([held]);
    expect(await admission.waiting('acme', 'ada', [turn.id, 'none'])).toEqual([held]);
    expect(await admission.job('acme', job.id)).toEqual({ ...job, keyId: held.keyId, ...ADDRESS });
  });

  it('is gone as soon as the key is destroyed, and is deleted by the erasure', async () => {
    const admission = await write();
    destroyed.add(held.keyId);
    expect(await recalled(admission)).toEqual([]);
    expect(await admission.job('acme', job.id)).toBeUndefined();
    await admission.erase('acme', 'ada');
    const kept = JSON.stringify(await redisContents(own.redis, config.namespace));
    expect(kept).not.toContain('sealed');
  });

  it('does not take what was appended while its key was destroyed, and bills it', async () => {
    destroyed.add(held.keyId);
    const admission = await write();
    expect(await admission.billed('acme', ['2026-03-10'])).toEqual([{ tokensIn: turn.tokens, tokensOut: 0 }]);
    expect(await recalled(admission)).toEqual([]);
    const keys = keysOfOrganization(config.namespace, 'acme');
    expect(await own.redis.exists(`${keys}t:ada`, `${keys}j:${job.id}`)).toBe(0);
  });
});
