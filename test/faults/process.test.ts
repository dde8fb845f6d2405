import { once } from 'node:events';
import { connect as openSocket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { IngestAnswer } from '../../schemas/http/ingestion.ts';
import { billedByLog } from '../contracts/openers/log.ts';
import { accessToken, connect, send } from '../support/http/client.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';
import { turn } from '../support/worlds/builders.ts';

const environment = { TURNSTONE_CLOCK: '2026-03-10T08:00:00Z' };
let running: Server[] = [];
afterEach(async () => {
  await Promise.all(running.map(server => server.kill()));
  running = [];
});
const start = async (dataDir?: string): Promise<Server> => {
  const server = await startServer({ environment, ...(dataDir && { dataDir }) });
  running.push(server);
  return server;
};

it('refuses a second process on the folder, and the first goes on', async () => {
  const server = await start();
  const client = await connect(server);
  const { usage } = await client.ingest({ turns: [turn(1)] });
  await expect(startServer({ environment, dataDir: server.dataDir })).rejects.toThrow(
    /in use by another Turnstone/,
  );
  expect((await client.ingest({ turns: [turn(1)] })).usage.tokens_in).toBe(0);
  expect((await client.today()).tokens_in).toBe(usage.tokens_in);
  expect(await server.stop()).toBe(0);
  // The end of the first one let go of what it held.
  const next = await start(server.dataDir);
  expect((await (await connect(next)).today()).tokens_in).toBe(usage.tokens_in);
});

it('answers what is in flight at SIGTERM and ends with 0 within ten seconds', async () => {
  const server = await start();
  const client = await connect(server);
  const answers: IngestAnswer[] = [];
  const faults: unknown[] = [];
  let stopping = false;
  const load = async (worker: number): Promise<void> => {
    for (let n = worker; ; n += 8) {
      const asked = stopping;
      try {
        answers.push(await client.ingest({ turns: [turn(2 * n), turn(2 * n + 1)] }));
      } catch (error) {
        // A request that was on its way before the signal has to get its answer.
        if (!asked) faults.push(error);
        if (stopping) return;
        throw error;
      }
    }
  };
  const loads = Promise.all(Array.from({ length: 8 }, (_, worker) => load(worker)));
  await Promise.race([loads, until('a load', () => answers.length > 50)]);
  stopping = true;
  const status = await server.stop();
  await loads;
  expect(status).toBe(0);
  // A request that met the closing socket was refused before it was read; an answer that broke off would be a
  // fault of ours.
  const broken = faults.filter(
    fault => !/ECONNREFUSED|ECONNRESET|other side closed/.test(String((fault as Error).cause ?? fault)),
  );
  expect(broken).toEqual([]);

  const { turns } = await billedByLog(server.dataDir);
  const acknowledged = answers.flatMap(({ active_fragment_ids }) => active_fragment_ids);
  expect(acknowledged.filter(id => !turns.has(id))).toEqual([]);
});

it('keeps and bills once what clients sent that were gone before the answer', async () => {
  const server = await start();
  const token = await accessToken(server.url, server.apiKey);
  const client = await connect(server, token);
  const { hostname, port } = new URL(server.url);
  const bodies = Array.from({ length: 40 }, (_, n) => ({
    scope: { org_id: 'any' },
    turns: [turn(3 * n), turn(3 * n + 1)],
  }));
  await Promise.all(
    bodies.map(async (body, n) => {
      const json = JSON.stringify(body);
      const head = [
        'POST /ingestion/memory HTTP/1.1',
        `Host: ${hostname}`,
        `Authorization: Bearer ${token}`,
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(json)}`,
      ];
      const socket = openSocket(Number(port), hostname);
      socket.on('error', () => {});
      await once(socket, 'connect');
      const bytes = `${head.join('\r\n')}\r\n\r\n${json}`;
      // Half of them are cut in the midst of the body.
      await new Promise(resolve => socket.write(n % 2 ? bytes : bytes.slice(0, -20), resolve));
      if (n % 4 < 2) socket.resetAndDestroy();
      else socket.destroy();
    }),
  );
  let retried = 0;
  for (const body of bodies) retried += (await client.ingest(body)).usage.tokens_in;
  for (const body of bodies) expect((await client.ingest(body)).usage.tokens_in).toBe(0);
  const { tokens_in } = await client.today();
  expect(tokens_in).toBeGreaterThanOrEqual(retried);
  expect((await send(`${server.url}/healthz`, 'GET')).status).toBe(200);
  await server.stop();
  const billed = await billedByLog(server.dataDir);
  expect(billed.turns.size).toBe(80);
  expect(tokens_in).toBe(billed.tokens_in);
});
