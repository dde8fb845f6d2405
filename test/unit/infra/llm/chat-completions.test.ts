import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openChatCompletions } from '../../../../infra/llm/chat-completions.ts';
import { retryAfterMs } from '../../../../infra/llm/retry-after.ts';
import { llmRequest } from '../../../../services/workers/enricher/llm/request.ts';
import { type ChatServer, replies, SECRET_ECHO, startChatServer } from '../../../support/http/chat-server.ts';

const request = llmRequest('tiny', { role: 'Ada', text: 'I sold my car.', timestamp: 0 });
const never = new AbortController().signal;

describe('chat completions', () => {
  let server: ChatServer;
  beforeEach(async () => {
    server = await startChatServer();
  });
  afterEach(() => server.close());
  const ask = (withinMs?: number, baseUrl = server.url) =>
    openChatCompletions({ baseUrl, apiKey: 'sk-1', withinMs }).complete(request, never);

  it('is one POST of JSON with the key, below the base URL', async () => {
    await ask(undefined, `${server.url}/?api-version=1`);
    await openChatCompletions({ baseUrl: server.url }).complete(request, never);
    const [hosted, local] = server.requests;
    expect(hosted).toMatchObject({
      path: '/v1/chat/completions?api-version=1',
      headers: { 'content-type': 'application/json', authorization: 'Bearer sk-1' },
      body: JSON.parse(JSON.stringify(request)),
    });
    expect(local!.path).toBe('/v1/chat/completions');
    expect(local!.headers).not.toHaveProperty('authorization');
    expect(server.requests).toHaveLength(2);
  });

  it('gives what a 200 holds', async () => {
    server.reply(() => replies.json(200, { any: 'thing' }));
    expect(await ask()).toEqual({ kind: 'answered', completion: { any: 'thing' } });
  });

  it.each([
    [429, 'limited'],
    [408, 'away'],
    [500, 'away'],
    [503, 'away'],
    [400, 'refused'],
    [401, 'refused'],
    [403, 'refused'],
    [404, 'refused'],
    [204, 'refused'],
  ] as const)('tells what %i means: %s', async (status, kind) => {
    server.reply(() => replies.status(status));
    const outcome = await ask();
    expect(outcome).toEqual({ kind, reason: `HTTP ${status}`, retryAfterMs: undefined });
  });

  it('follows no redirect: neither key nor words go elsewhere', async () => {
    server.reply(() => replies.status(307, { location: `${server.url}/elsewhere` }));
    expect(await ask()).toMatchObject({ kind: 'refused', reason: 'HTTP 307' });
    expect(server.requests).toHaveLength(1);
  });

  it('passes on how long to wait', async () => {
    server.reply(() => replies.status(429, { 'retry-after': '7' }));
    expect(await ask()).toMatchObject({ retryAfterMs: 7_000 });
  });

  it('tells a fault of the connection by its kind', async () => {
    server.reply(() => replies.cut());
    expect(await ask()).toMatchObject({ kind: 'away', reason: expect.stringMatching(/^no connection/) });
    server.reply(() => replies.json(200, `<html>${SECRET_ECHO}`));
    expect(await ask()).toEqual({ kind: 'away', reason: 'an answer that is not JSON' });
    server.reply(() => replies.silence());
    expect(await ask(50)).toEqual({ kind: 'away', reason: 'no answer within 0.05 s' });
    const unused = createServer();
    const port = await new Promise(resolve =>
      unused.listen(0, '127.0.0.1', () => resolve((unused.address() as { port: number }).port)),
    );
    await new Promise(resolve => unused.close(resolve));
    expect(await ask(undefined, `http://127.0.0.1:${port}/v1`)).toEqual({
      kind: 'away',
      reason: 'no connection (ECONNREFUSED)',
    });
  });

  it('stops reading after a megabyte', async () => {
    let sent = 0;
    server.reply(() =>
      replies.endless(bytes => {
        sent = bytes;
      }),
    );
    expect(await ask()).toEqual({ kind: 'away', reason: 'an answer of more than 1 MiB' });
    // The bytes that fit into the buffers of two sockets go on top.
    expect(sent).toBeLessThan(32 * 1_048_576);
  });

  it('ends with its signal, before and during a request', async () => {
    const chat = openChatCompletions({ baseUrl: server.url });
    await expect(chat.complete(request, AbortSignal.abort())).rejects.toThrow();
    expect(server.requests).toHaveLength(0);
    const ending = new AbortController();
    server.reply(() => () => ending.abort());
    await expect(chat.complete(request, ending.signal)).rejects.toThrow();
    expect(server.requests).toHaveLength(1);
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2026, 6, 4, 22, 10);
  it.each([
    ['0', 0],
    [' 120 ', 120_000],
    ['Sat, 04 Jul 2026 22:10:30 GMT', 30_000],
    ['Sat, 04 Jul 2026 22:09:30 GMT', 0],
    [null, undefined],
    ['', undefined],
    ['1.5', undefined],
    ['-3', undefined],
    ['soon', undefined],
    ['9'.repeat(40), undefined],
  ])('%s is %s', (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });
});
