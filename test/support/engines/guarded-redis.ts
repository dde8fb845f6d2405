/** Redis servers of a test's own: with TLS and ACL, or a primary and a replica that Sentinels watch. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { temporaryFolder } from '../processes/server.ts';
import { until } from '../wait.ts';
import type { Certificates } from './certificates.ts';
import { type ChildEngine, freePorts, startChild } from './child-engine.ts';

export const USER = 'turnstone';
export const PASSWORD = 'pass@word:/?';

/** Returns what the documentation asks an operator to allow, on the keys of a namespace. */
export const aclOf = (namespace: string): string =>
  `user ${USER} on >${PASSWORD} ~${namespace}:* +@all -@admin -@dangerous +info +client|kill +bgrewriteaof +bgsave`;

const start = async (
  folder: string,
  port: number,
  lines: readonly string[],
  args: string[] = [],
): Promise<ChildEngine> => {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'redis.conf');
  writeFileSync(file, `${['bind 127.0.0.1', `dir ${folder}`, ...lines].join('\n')}\n`);
  const engine = startChild('redis-server', [file, ...args], folder);
  await until(`Redis listens on ${port}`, () =>
    /Ready to accept connections|Sentinel ID is/.test(engine.output()),
  );
  return engine;
};

const KEPT = ['appendonly yes', 'appendfsync everysec', 'save ""', 'maxmemory-policy noeviction'];

export interface SecureRedis {
  url: string;
  close(): Promise<void>;
}

/** Takes only TLS with a client's certificate, and only the users of these lines. */
export const startSecureRedis = async (
  certificates: Certificates,
  ...lines: string[]
): Promise<SecureRedis> => {
  const [port] = (await freePorts(1)) as [number];
  const engine = await start(temporaryFolder(), port, [
    'port 0',
    `tls-port ${port}`,
    `tls-cert-file ${certificates.serverCert}`,
    `tls-key-file ${certificates.serverKey}`,
    `tls-ca-cert-file ${certificates.ca}`,
    'tls-auth-clients yes',
    'user default off',
    ...lines,
    ...KEPT,
  ]);
  return { url: `rediss://127.0.0.1:${port}`, close: engine.kill };
};

export const PRIMARY = 'turnstone-primary';

export interface Sentinels {
  /** Comma-separated. */
  urls: string;
  /** Nothing more reaches the replica. */
  cutReplication(): Promise<void>;
  /** kill -9 of the current primary. Resolves when the Sentinels have made another server the primary. */
  failOver(): Promise<void>;
  close(): Promise<void>;
}

/** A primary, a replica and three Sentinels, all with a password. */
export const startSentinels = async (): Promise<Sentinels> => {
  const [first, second, ...sentinels] = (await freePorts(5)) as [number, number, ...number[]];
  const folder = temporaryFolder();
  const engines = new Map<number, ChildEngine>();
  const auth = [`requirepass ${PASSWORD}`, `masterauth ${PASSWORD}`];
  engines.set(first, await start(join(folder, 'a'), first, [`port ${first}`, ...auth, ...KEPT]));
  const replica = [`port ${second}`, `replicaof 127.0.0.1 ${first}`, ...auth, ...KEPT];
  engines.set(second, await start(join(folder, 'b'), second, replica));
  for (const port of sentinels) {
    const lines = [
      `port ${port}`,
      `sentinel monitor ${PRIMARY} 127.0.0.1 ${first} 2`,
      `sentinel auth-pass ${PRIMARY} ${PASSWORD}`,
      `sentinel down-after-milliseconds ${PRIMARY} 1000`,
      `sentinel failover-timeout ${PRIMARY} 5000`,
      `requirepass ${PASSWORD}`,
    ];
    engines.set(port, await start(join(folder, String(port)), port, lines, ['--sentinel']));
  }
  const asking = new Redis({ port: sentinels[0]!, host: '127.0.0.1', password: PASSWORD });
  const primary = async (): Promise<number> =>
    Number(((await asking.call('sentinel', 'get-master-addr-by-name', PRIMARY)) as string[])[1]);
  await until(
    'the Sentinels know the replica and each other',
    async () => {
      const found = (await asking.call('sentinel', 'master', PRIMARY)) as string[];
      const field = (name: string): string | undefined => found[found.indexOf(name) + 1];
      return field('num-slaves') === '1' && field('num-other-sentinels') === '2';
    },
    30_000,
  );
  return {
    urls: sentinels.map(port => `redis://127.0.0.1:${port}`).join(','),
    cutReplication: async () => {
      const replica = new Redis({ port: second, host: '127.0.0.1', password: PASSWORD });
      await replica.config('SET', 'masterauth', 'wrong');
      await replica.call('client', 'kill', 'type', 'master');
      await until('the link is down', async () =>
        /master_link_status:down/.test(await replica.info('replication')),
      );
      replica.disconnect();
    },
    failOver: async () => {
      const before = await primary();
      await engines.get(before)!.kill();
      await until('another is the primary', async () => (await primary()) !== before, 30_000);
    },
    close: async () => {
      asking.disconnect();
      await Promise.all([...engines.values()].map(engine => engine.kill()));
    },
  };
};
