import { request as httpRequest } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import type { Log } from '../../../../../../core/watch/logger.ts';
import { makeClient } from '../../../../../../services/surfaces/client/client.ts';
import { makeMemory } from '../../../../../../services/surfaces/mcp/memory/memory.ts';
import { makeMcpServer } from '../../../../../../services/surfaces/mcp/server.ts';
import { type RunningHttp, serveHttp } from '../../../../../../services/surfaces/mcp/transport/http.ts';
import { callerOver, httpTransport } from '../../../../../support/http/mcp.ts';
import { type Script, type StubService, startStub } from '../../../../../support/http/stub-service.ts';

let stub: StubService;
let mcp: RunningHttp;
afterEach(async () => {
  await mcp.close();
  await stub.close();
});

/** The server over HTTP in this process, before a service that answers as `script` says. */
const served = async (script: Script) => {
  stub = await startStub(script);
  const logged: unknown[] = [];
  const note = (_: unknown, message: string) => void logged.push(message);
  const log = { info: note, warn: note, error: note } as unknown as Log;
  mcp = await serveHttp({
    host: '127.0.0.1',
    port: 0,
    clientOf: apiKey => makeClient({ url: stub.url, apiKey, pause: async () => undefined }),
    serverOf: client =>
      makeMcpServer({ memory: makeMemory(() => client), defaults: {}, clock: Date.now, log }, '0'),
    clock: Date.now,
    log,
  });
  return { url: mcp.url, logged };
};

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
});

/** Asks for a session; returns what hangs up before the answer. */
const asking = (url: string): (() => void) => {
  const request = httpRequest(url, {
    method: 'POST',
    headers: {
      authorization: 'Bearer key',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
  });
  request.on('error', () => undefined);
  request.end(INITIALIZE);
  return () => request.destroy();
};

it('a client that leaves while its key is tried begins no session, and puts out nobody who stayed', async () => {
  const OF_A_KEY = 100;
  const left = Promise.withResolvers<void>();
  const answered: Promise<unknown>[] = [];
  let holds = false;
  const { url, logged } = await served(async ({ path }, gone) => {
    if (!holds || path !== '/me') return undefined;
    answered.push(gone);
    await left.promise;
    return undefined;
  });
  const { client } = await callerOver(httpTransport(url, 'key'));
  holds = true;
  const hangUps = Array.from({ length: OF_A_KEY }, () => asking(url));
  await expect.poll(() => answered.length, { timeout: 10_000 }).toBe(OF_A_KEY);
  for (const hangUp of hangUps) hangUp();
  holds = false;
  // By its answer the server has seen them go: it reads this connection behind theirs.
  expect((await fetch(new URL('/', url))).status).toBe(404);
  left.resolve();
  await Promise.all(answered);
  const { client: later } = await callerOver(httpTransport(url, 'key'));
  expect((await client.listTools()).tools).toHaveLength(7);
  expect(logged).toEqual(['mcp session begun', 'mcp session begun']);
  await client.close();
  await later.close();
});
