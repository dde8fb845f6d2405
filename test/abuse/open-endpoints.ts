/** Attacks that need no token: slow bodies, endless bodies, floods of scrapes. The same in both modes. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import type { Client } from '../support/http/client.ts';
import { pause, until } from '../support/wait.ts';
import { turn } from '../support/worlds/builders.ts';

export interface World {
  url: string;
  /** A client of an organization that does nothing wrong. */
  good: Client;
}

const SLOW = 1_000;
/** A server that keeps a slow body for as long as an authenticated one needs a minute for this. */
const ENDED_WITHIN_MS = 40_000;

const headOf = (path: string, length: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${length}\r\n\r\n`;

/** Opens a connection and collects its answer. */
export const open = async (
  url: string,
  localAddress?: string,
): Promise<{ socket: Socket; answer: () => string; isOpen: () => boolean }> => {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, localAddress });
  let text = '';
  let isOpen = true;
  socket.on('error', () => {});
  socket.on('close', () => {
    isOpen = false;
  });
  socket.setEncoding('latin1').on('data', chunk => {
    text += chunk;
  });
  await once(socket, 'connect');
  return { socket, answer: () => text, isOpen: () => isOpen };
};

/** Sends chunks for as long as the server takes them; returns the bytes that left. */
export const sendEndlessly = async (url: string, path: string, head = '') => {
  const { socket, answer, isOpen } = await open(url);
  socket.write(headOf(path, `${head}Transfer-Encoding: chunked`));
  const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
  const deadline = performance.now() + ENDED_WITHIN_MS;
  while (isOpen() && performance.now() < deadline) {
    if (socket.write(chunk)) await pause(0);
    else await Promise.race([once(socket, 'drain'), pause(100)]).catch(() => {});
  }
  const sent = socket.bytesWritten - socket.writableLength;
  const ended = !isOpen();
  socket.destroy();
  return { status: Number(answer().slice(9, 12)), sent, ended };
};

/** Registers the tests of an attacker without a token. */
export const openEndpointTests = (world: () => World): void => {
  test(`${SLOW} slow bodies without a token end within seconds and keep nobody out`, async () => {
    const { url, good } = world();
    const slow = await Promise.all(
      Array.from({ length: SLOW }, async (_, i) => {
        const one = await open(url);
        const path = i % 2 === 0 ? '/auth/token-exchange' : '/ingestion/memory';
        one.socket.write(`${headOf(path, 'Content-Length: 1000')}{`);
        return one;
      }),
    );
    const dribble = setInterval(() => {
      for (const { socket } of slow) if (socket.writable) socket.write(' ');
    }, 500);
    try {
      const began = performance.now();
      for (let n = 0; performance.now() - began < 2_000; n++) {
        const { active_fragment_ids } = await good.ingest({ turns: [turn(n)] });
        expect(active_fragment_ids).toHaveLength(1);
      }
      await until(
        'the slow connections are closed',
        () => slow.every(({ isOpen }) => !isOpen()),
        ENDED_WITHIN_MS,
      );
      const statuses = new Set(slow.map(({ answer }) => answer().slice(9, 12)));
      expect([...statuses].sort()).toEqual(['401', '408']);
      for (const { answer } of slow.slice(0, 2)) expect(answer()).toContain('"request_id"');
    } finally {
      clearInterval(dribble);
      for (const { socket } of slow) socket.destroy();
    }
  });

  test.each([
    ['/signup', 413],
    ['/auth/token-exchange', 413],
    ['/auth/refresh', 413],
    ['/ingestion/memory', 401],
    ['/healthz', 405],
    ['/nothing', 404],
  ])('an endless body to %s without a token is refused and cut off', async (path, status) => {
    const { sent, ...rest } = await sendEndlessly(world().url, path);
    expect(rest).toEqual({ status, ended: true });
    // As much as the largest valid body, so that a client that sends all before it reads gets its answer; and
    // buffers.
    expect(sent).toBeLessThan(16 * 1024 * 1024);
  });

  test('a body above 16 KiB without a token is a 413', async () => {
    const { url } = world();
    const post = (bytes: number) =>
      fetch(`${url}/auth/token-exchange`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ api_key: 'x'.repeat(bytes - '{"api_key":""}'.length) }),
      });
    expect((await post(16 * 1024)).status).toBe(401);
    const refused = await post(16 * 1024 + 1);
    expect([refused.status, await refused.json()]).toMatchObject([413, { error: 'HTTP 413' }]);
  });

  test('a flood of scrapes and readiness checks computes its state a few times a second', async () => {
    const { url, good } = world();
    const texts = new Set<string>();
    let scrapes = 0;
    const began = performance.now();
    const flood = async (path: string): Promise<void> => {
      while (performance.now() - began < 2_000) {
        const response = await fetch(`${url}${path}`);
        expect(response.status).toBe(200);
        const text = await response.text();
        if (path !== '/metrics') continue;
        texts.add(text);
        scrapes++;
      }
    };
    const paths = ['/metrics', '/readyz'].flatMap(path => Array<string>(16).fill(path));
    await Promise.all([...paths.map(flood), good.today()]);
    expect(scrapes).toBeGreaterThan(20);
    expect(texts.size).toBeLessThanOrEqual(10);
  });
};
