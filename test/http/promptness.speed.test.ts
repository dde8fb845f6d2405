/** Tests what the service does at once, or within a time that it promises. */
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEvents, take } from '../support/http/event-stream.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';
import { type Caller, callerWith, newKey, parsed, refused, speak, turn, write } from './contract/kit.ts';

let server: Server;
let owner: Caller;
beforeAll(async () => {
  server = await startServer();
  owner = await callerWith(server.url, server.apiKey);
});
afterAll(() => server.kill());

const msOf = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};

describe('a revoked key', () => {
  it('is refused within a second', async () => {
    const key = await newKey(owner);
    const caller = await callerWith(server.url, key.api_key);
    await owner.send('DELETE', `/me/api-keys/${key.id}`);
    const refusal = () =>
      until('the key is refused', async () => (await caller.send('GET', '/me')).status === 403);
    expect(await msOf(refusal)).toBeLessThan(1_000);
  });

  it('ends its streams within six seconds', async () => {
    const key = await newKey(owner);
    const { token } = await callerWith(server.url, key.api_key);
    const ended = take(await openEvents(server.url, token), () => false);
    await owner.send('DELETE', `/me/api-keys/${key.id}`);
    expect(await msOf(() => ended)).toBeLessThan(6_000);
  });
});

describe('a body', () => {
  it('that is announced too large is refused before it is sent', async () => {
    const head = `POST /ingestion/memory HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\nAuthorization: Bearer ${owner.token}\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n`;
    expect(await msOf(async () => refused(parsed(await speak(server.url, head)), 413))).toBeLessThan(3_000);
  });

  it('of 65,536 equal letters is counted without a stall', async () => {
    const texts = ['a'.repeat(65_536), '\u4e00'.repeat(65_536), '!?'.repeat(32_768)];
    expect(await msOf(() => owner.ingest(write(texts.map(text => turn(text)))))).toBeLessThan(10_000);
  });

  it('of a million bad turns is refused without a stall', async () => {
    const flood = () => owner.send('POST', '/ingestion/memory', write(Array(1_000_000).fill(0)));
    expect(await msOf(flood)).toBeLessThan(5_000);
  });
});

describe('a server that is told to stop', () => {
  /** Less than a drain gives to answers that don't end. */
  it('ends within five seconds, with a stream open', async () => {
    const stopping = await startServer();
    const { token } = await callerWith(stopping.url, stopping.apiKey);
    const closed = take(await openEvents(stopping.url, token), () => false);
    expect(await msOf(() => stopping.stop())).toBeLessThan(5_000);
    await closed;
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('by %s ends within ten', async signal => {
    const { child } = await startServer();
    child.kill(signal);
    expect(await msOf(() => once(child, 'exit'))).toBeLessThan(10_000);
  });
});
