/** A Redis of the test's own, which it may fill, starve and misconfigure. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Redis } from 'ioredis';
import { temporaryFolder } from './server.ts';
import { until } from './wait.ts';

export const canStartRedis = spawnSync('redis-server', ['--version']).status === 0;

export interface OwnRedis {
  url: string;
  /** A connection beside the service's. */
  redis: Redis;
  /** Bytes in use. */
  used(): Promise<number>;
  /** Fills it from outside until so many bytes are in use. */
  fill(bytes: number): Promise<void>;
  close(): Promise<void>;
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
};

const CHUNK = 50_000;

export const startOwnRedis = async (...settings: string[]): Promise<OwnRedis> => {
  const port = await freePort();
  const child = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', temporaryFolder(), ...settings],
    { stdio: 'ignore' },
  );
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  const gone = once(child, 'exit');
  const redis = new Redis({ port, host: '127.0.0.1', lazyConnect: true, retryStrategy: () => 50 });
  redis.on('error', () => {});
  await redis.connect().catch(() => {});
  await until('Redis answers', async () => (await redis.ping()) === 'PONG');
  let filled = 0;
  const used = async (): Promise<number> =>
    Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))![1]);
  return {
    url: `redis://127.0.0.1:${port}`,
    redis,
    used,
    fill: async bytes => {
      while ((await used()) < bytes) await redis.set(`filling of a test ${filled++}`, 'x'.repeat(CHUNK));
    },
    close: async () => {
      redis.disconnect();
      process.off('exit', end);
      end();
      await gone;
    },
  };
};
