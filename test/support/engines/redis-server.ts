/** A Redis that whoever starts it may fill, starve, kill and misconfigure. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Redis } from 'ioredis';
import { temporaryFolder } from '../processes/server.ts';
import { until } from '../wait.ts';

export interface OwnRedis {
  url: string;
  /** A connection beside the service's. */
  redis: Redis;
  /** Bytes in use. */
  used(): Promise<number>;
  /** Fills it from outside until so many bytes are in use. */
  fill(bytes: number): Promise<void>;
  /** Where it keeps its files. */
  folder: string;
  /** kill -9. */
  crash(): Promise<void>;
  /** Starts it again after a crash, with the same settings or others; resolves when it has read its files. */
  start(...settings: string[]): Promise<void>;
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
/** It reads its files first, which may be large. */
const ANSWERS_WITHIN_MS = 120_000;

export const startOwnRedis = async (...settings: string[]): Promise<OwnRedis> => {
  const port = await freePort();
  const folder = temporaryFolder();
  let child: ChildProcess;
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  const crash = async (): Promise<void> => {
    const gone = once(child, 'exit');
    end();
    await gone;
  };
  const redis = new Redis({ port, host: '127.0.0.1', lazyConnect: true, retryStrategy: () => 50 });
  redis.on('error', () => {});
  const start = async (...those: string[]): Promise<void> => {
    const own = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
    child = spawn('redis-server', [...own, ...(those.length > 0 ? those : settings)], { stdio: 'ignore' });
    if (redis.status === 'wait') await redis.connect().catch(() => {});
    await until('Redis answers', async () => (await redis.ping()) === 'PONG', ANSWERS_WITHIN_MS);
  };
  await start();
  let filled = 0;
  const used = async (): Promise<number> =>
    Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))![1]);
  return {
    url: `redis://127.0.0.1:${port}`,
    redis,
    used,
    folder,
    crash,
    start,
    fill: async bytes => {
      while ((await used()) < bytes) await redis.set(`filling of a test ${filled++}`, 'x'.repeat(CHUNK));
    },
    close: async () => {
      redis.disconnect();
      process.off('exit', end);
      if (child.exitCode === null && child.signalCode === null) await crash();
    },
  };
};
