/**
 * A client feeds the largest writes that the contract takes, as fast as it can. Nobody else may notice: the service stays
 * ready and small, and after a restart too.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { residentBytes } from '../bench/process.ts';
import { connect, inParallel, settled } from '../support/client.ts';
import { isLong } from '../support/long.ts';
import { type Server, startServer } from '../support/server.ts';
import { pause } from '../support/wait.ts';
import { FORMS, type Form, largestWrite } from './largest-writes.ts';

const MOST_RESIDENT = 1024 ** 3;
const CONNECTIONS = 8;
const ATTACK_MS = isLong ? 60_000 : 6_000;
/** Far more than it takes: a core may be somebody else's. */
const SETTLED_WITHIN_MS = isLong ? 600_000 : 120_000;

// Words, not the tokens of a day, are what is to be had here.
const environment = { TURNSTONE_QUOTA_TOKENS_IN: '0', TURNSTONE_QUOTA_TOKENS_OUT: '0' };

let servers: Server[] = [];
afterEach(async () => {
  for (const server of servers) await server.kill();
  servers = [];
});

const start = async (dataDir?: string): Promise<Server> => {
  const server = await startServer({ environment, ...(dataDir && { dataDir }) });
  servers.push(server);
  return server;
};

/** Asks until it is told to stop; what it was told beside 200. */
const watchReadiness = (server: Server): { stop(): Promise<string[]> } => {
  let stopped = false;
  const answers: string[] = [];
  const loop = (async () => {
    while (!stopped) {
      const response = await fetch(`${server.url}/readyz`);
      const text = await response.text();
      if (response.status !== 200) answers.push(`${response.status} ${text}`);
      await pause(200);
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await loop;
      return answers;
    },
  };
};

interface Attack {
  /** Answers by status, and those that no client could act on. */
  statuses: Map<number, number>;
  odd: string[];
}

const attack = async (server: Server, form: Form, token: string): Promise<Attack> => {
  const statuses = new Map<number, number>();
  const odd: string[] = [];
  const end = performance.now() + ATTACK_MS;
  await inParallel(1_000_000, CONNECTIONS, async n => {
    if (performance.now() > end) return;
    const response = await fetch(`${server.url}/ingestion/memory`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: largestWrite(form, n),
    });
    const text = await response.text();
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    const isRefusal = response.status === 503 && Number(response.headers.get('retry-after')) > 0;
    if (response.status !== 202 && !isRefusal) odd.push(`${response.status} ${text.slice(0, 300)}`);
  });
  return { statuses, odd };
};

const peak = (server: Server): number => residentBytes(server.child.pid!)!.most;

describe.each(Object.keys(FORMS) as Form[])('the largest writes: %s', form => {
  it('leave the service ready and small, and so does a restart', { timeout: 900_000 }, async () => {
    const server = await start();
    const client = await connect(server);
    const { access_token } = (
      await client.request<{ access_token: string }>('POST', '/auth/token-exchange', {
        api_key: server.apiKey,
      })
    ).body;
    const readiness = watchReadiness(server);
    const { statuses, odd } = await attack(server, form, access_token);
    console.log(form, Object.fromEntries(statuses), 'MiB', peak(server) >> 20);
    expect(odd).toEqual([]);
    expect(statuses.get(202)).toBeGreaterThan(0);
    await settled(server.url, SETTLED_WITHIN_MS);
    expect(await readiness.stop()).toEqual([]);
    console.log(form, 'settled', 'MiB', peak(server) >> 20);
    expect(peak(server)).toBeLessThan(MOST_RESIDENT);
    await server.stop();

    const again = await start(server.dataDir);
    await settled(again.url, SETTLED_WITHIN_MS);
    expect((await fetch(`${again.url}/readyz`)).status).toBe(200);
    expect(peak(again)).toBeLessThan(MOST_RESIDENT);
    await again.stop();
  });
});
