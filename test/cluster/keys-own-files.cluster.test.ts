/** Redis' own files, searched for what was destroyed. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLogKeyStore } from '../../infra/cluster/keys/key-store.ts';
import { openOwnFiles } from '../../infra/cluster/redis/files/own-files.ts';
import { connectRedis, type RedisClient } from '../../infra/cluster/redis/redis-client.ts';
import { aclOf, PASSWORD, USER } from '../support/engines/guarded-redis.ts';
import { memoryKeyIndex } from '../support/engines/memory-key-index.ts';
import { memoryLog } from '../support/engines/memory-log.ts';
import { canStartRedis } from '../support/engines/own-redis.ts';
import { openTestRedis } from '../support/engines/redis.ts';
import { type OwnRedis, startOwnRedis } from '../support/engines/redis-server.ts';
import { installationOf } from '../support/files/installation-keys.ts';
import { until } from '../support/wait.ts';
import { sweptAtOnce, wrappedKeys } from '../support/worlds/cluster-keys-world.ts';

if (!canStartRedis && process.env.CI) throw new Error('redis-server must be installed');

const NAMESPACE = 'files';
/** Instead of minutes. */
const times = { settleMs: 200, gapMs: 200 };
const AOF = ['--appendonly', 'yes', '--appendfsync', 'always', '--auto-aof-rewrite-percentage', '0'];
/** So that texts are found. */
const PLAIN = ['--rdbcompression', 'no'];

/** The content of every file; undefined if Redis has removed one since they were listed. */
const contentsOf = (folder: string): Buffer[] | undefined => {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(file => file.isFile())
      .map(file => readFileSync(join(file.parentPath, file.name)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

/** How many of these texts are in a file of Redis. */
const inFiles = (folder: string, texts: readonly string[]): number => {
  for (;;) {
    const files = contentsOf(folder);
    if (files) return texts.filter(text => files.some(file => file.includes(text))).length;
  }
};

/** How often Redis was asked to, also where it refused since one was running. */
const asked = async (redis: Redis): Promise<number> =>
  Number(/^cmdstat_bgrewriteaof:calls=(\d+)/m.exec(await redis.info('commandstats'))?.[1] ?? 0);

/**
 * Switched off by hand, one after the other, each fails a test: the note before keys are removed;
 * BGREWRITEAOF; BGSAVE; the claim; the pause after a refusal.
 */
describe.skipIf(!canStartRedis)("keys in Redis' own files", () => {
  let own: OwnRedis;
  let redis: RedisClient;
  const open = async (...settings: string[]) => {
    own = await startOwnRedis(...PLAIN, ...settings);
    redis = await openTestRedis({ redisUrl: own.url });
    const log = memoryLog();
    const index = memoryKeyIndex();
    const installation = installationOf(Buffer.alloc(32, 7));
    const keys = sweptAtOnce(
      openLogKeyStore({ redis, namespace: NAMESPACE, log, index, installation }),
      log,
      index,
    );
    await keys.forSession('acme', 'ada-of-acme', 's1');
    await keys.forSession('acme', 'ada-of-acme', 's2');
    await keys.forSession('acme', 'eve-of-acme', 's1');
    const wrapped = await wrappedKeys(log);
    return { keys, ada: [...wrapped.get('ada-of-acme')!, 'ada-of-acme'], eve: wrapped.get('eve-of-acme')! };
  };
  const filesOf = () => openOwnFiles({ redis, namespace: NAMESPACE, times });
  /** Looks until the files are free of what was removed. */
  const untilClean = (...those: ReturnType<typeof filesOf>[]): Promise<void> =>
    until('the files are settled', async () => {
      const found = await Promise.all(those.map(one => one.look()));
      return found.includes(true);
    });
  beforeEach(() => {
    own = undefined as never;
  });
  afterEach(async () => {
    redis?.disconnect();
    await own?.close();
  });

  it('are gone from the append-only file after they were destroyed; the others stay', async () => {
    const { keys, ada, eve } = await open(...AOF);
    expect([inFiles(own.folder, ada), inFiles(own.folder, eve)]).toEqual([4, 2]);

    await keys.destroy('acme', 'ada-of-acme');
    await keys.sweep(new AbortController().signal);
    expect(inFiles(own.folder, ada)).toBe(4);
    await untilClean(filesOf());
    await until('nothing is left', () => inFiles(own.folder, ada) === 0);
    expect(inFiles(own.folder, eve)).toBe(2);
    // Nothing more is due.
    const before = await asked(own.redis);
    expect(await filesOf().look()).toBe(false);
    expect(await asked(own.redis)).toBe(before);
  });

  it('are gone from the snapshot, too, with an append-only file and without', async () => {
    for (const settings of [
      ['--save', '3600 1000000'],
      [...AOF, '--save', '3600 1000000'],
    ]) {
      const { keys, ada, eve } = await open(...settings);
      await own.redis.bgsave();
      await until('it is saved', async () =>
        (await own.redis.info('persistence')).includes('rdb_bgsave_in_progress:0'),
      );
      expect([inFiles(own.folder, ada), inFiles(own.folder, eve)]).toEqual([4, 2]);
      await keys.destroy('acme', 'ada-of-acme');
      await keys.sweep(new AbortController().signal);
      await untilClean(filesOf());
      await until('nothing is left', () => inFiles(own.folder, ada) === 0);
      expect(inFiles(own.folder, eve)).toBe(2);
      redis.disconnect();
      await own.close();
    }
  });

  it('are asked for by one of several processes, and also when the one that destroyed them has died', async () => {
    const { keys } = await open(...AOF);
    const several = Array.from({ length: 5 }, filesOf);
    const before = await asked(own.redis);
    await keys.destroy('acme', 'ada-of-acme', 's1');
    await untilClean(...several);
    expect(await asked(own.redis)).toBe(before + 1);
  });

  it('are due again after a restart, which may come back with them', async () => {
    const { keys, ada } = await open(...AOF);
    await keys.destroy('acme', 'ada-of-acme');
    await keys.sweep(new AbortController().signal);
    redis.disconnect();
    await own.crash();
    await own.start();
    redis = await openTestRedis({ redisUrl: own.url });
    await untilClean(filesOf());
    await until('nothing is left', () => inFiles(own.folder, ada) === 0);
  });

  it('do not make a Redis write files that has none', async () => {
    const { keys } = await open();
    await keys.destroy('acme', 'ada-of-acme');
    await untilClean(filesOf());
    expect(readdirSync(own.folder)).toEqual([]);
  });

  it('stay where the commands are not allowed: reported once, and tried again by who may', async () => {
    const { keys, ada } = await open(...AOF);
    const [, name, ...rules] = aclOf(NAMESPACE).split(' ') as [string, string, ...string[]];
    await own.redis.call('ACL', 'SETUSER', name, ...rules, '-bgrewriteaof', '-bgsave');
    const client = connectRedis({
      redisUrl: own.url,
      redis: { user: USER, password: PASSWORD } as never,
    });
    await new Promise<void>(resolve => client.once('ready', resolve));
    const ours = openOwnFiles({ redis: client, namespace: NAMESPACE, times });
    await keys.destroy('acme', 'ada-of-acme');
    await keys.sweep(new AbortController().signal);
    const reasons: string[] = [];
    const denied = async (): Promise<number> =>
      ((await own.redis.call('ACL', 'LOG')) as unknown[]).length > 0
        ? Number(((await own.redis.call('ACL', 'LOG')) as string[][])[0]![1])
        : 0;
    await until('it is refused', async () => {
      await ours.look().catch((error: Error) => reasons.push(error.message));
      return reasons.length > 0;
    });
    expect(reasons[0]).toMatch(/^Redis refuses BGREWRITEAOF \(NOPERM/);
    const since = performance.now();
    await until('two pauses are over', async () => {
      await ours.look().catch((error: Error) => reasons.push(error.message));
      return performance.now() - since > 3 * times.gapMs;
    });
    expect([reasons.length, await denied()]).toEqual([1, 1]);
    expect(inFiles(own.folder, ada)).toBe(4);

    // As the documentation has it.
    await own.redis.call('ACL', 'SETUSER', name, ...rules);
    await untilClean(openOwnFiles({ redis: client, namespace: NAMESPACE, times }));
    client.disconnect();
    await until('nothing is left', () => inFiles(own.folder, ada) === 0);
  });
});
