import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { billedByLog } from '../contracts/openers/log.ts';
import { type FailingDisk, makeFailingDisk } from '../support/files/failing-disk.ts';
import { type Answer, accessToken, type Client, connect, send, settled } from '../support/http/client.ts';
import { isLong } from '../support/long.ts';
import { type Server, startServer, temporaryFolder } from '../support/processes/server.ts';
import { pause, until } from '../support/wait.ts';
import { sentence, turn } from '../support/worlds/builders.ts';

/** How long the disk fails, and how soon after it everything has to be answered again. */
const FAULT_MS = 2_000;
const WELL_WITHIN_MS = 10_000;
const environment = { TURNSTONE_CLOCK: '2026-03-10T08:00:00Z', TURNSTONE_QUOTA_TOKENS_IN: '0' };

let servers: Server[] = [];
afterEach(async () => {
  await Promise.all(servers.map(server => server.kill()));
  servers = [];
});

const open = async (context: {
  skip(note: string): void;
}): Promise<{ disk: FailingDisk; server: Server; client: Client; token: string } | undefined> => {
  const dataDir = temporaryFolder();
  const disk = makeFailingDisk(dataDir);
  if (!disk) {
    if (process.env.CI === 'true') throw new Error('no C compiler for errors of the disk');
    context.skip('errors of the disk need Linux and a C compiler');
    return undefined;
  }
  const server = await startServer({ dataDir, environment: { ...environment, ...disk.environment } });
  servers.push(server);
  const token = await accessToken(server.url, server.apiKey);
  return { disk, server, client: await connect(server, token), token };
};

/** Returns text that can't be compressed. */
const noise = (): string => randomBytes(1_800).toString('base64');
/** Enough bytes that write-ahead logs are checkpointed while the disk fails. */
const filling = (n: number) =>
  Array.from({ length: 10 }, (_, i) => ({ ...turn(0), text: `filling ${n} ${i} ${noise()}` }));

/**
 * One after the other, until `over`; every answer that isn't one of the contract's for an outage is a fault.
 */
const load = async (
  client: Client,
  { url, apiKey }: Server,
  over: () => boolean,
): Promise<{ acknowledged: Map<number, string>; faults: string[]; refused: number }> => {
  const acknowledged = new Map<number, string>();
  const faults: string[] = [];
  let refused = 0;
  const look = (what: string, { status, headers }: Answer<unknown>, ok: number): boolean => {
    if (status === ok) return true;
    if (status === 503 && Number(headers.get('retry-after')) > 0) refused++;
    else faults.push(`${what}: ${status}`);
    return false;
  };
  let next = 1;
  const write = async (): Promise<void> => {
    const n = next++;
    const answer = await client.request<{ active_fragment_ids: string[] }>('POST', '/ingestion/memory', {
      scope: { org_id: 'any' },
      turns: [turn(2 * n), turn(2 * n + 1), ...filling(n)],
    });
    if (look('write', answer, 202)) acknowledged.set(n, answer.body.active_fragment_ids[0]!);
  };
  const calls = [
    write,
    async () => {
      const q = { scope: { org_id: 'any' }, q: sentence(0) };
      look('recall', await client.request('POST', '/recall', q), 200);
    },
    async () => void look('usage', await client.request('GET', '/usage/today'), 200),
    async () => void look('list', await client.request('GET', '/memory/sessions?limit=10'), 200),
    async () => void look('keys', await client.request('POST', '/me/api-keys', { name: 'k' }), 201),
    async () =>
      void look('exchange', await send(`${url}/auth/token-exchange`, 'POST', { api_key: apiKey }), 200),
    async () => {
      const answer = await client.request('DELETE', `/memory?user_id=nobody-${next}`);
      look('erase', answer, 200);
    },
    async () => {
      expect((await send(`${url}/healthz`, 'GET')).status).toBe(200);
    },
  ];
  await Promise.all(
    calls
      .flatMap(call => [call, write])
      .map(async call => {
        while (!over()) {
          await call();
          await pause(20);
        }
      }),
  );
  return { acknowledged, faults, refused };
};

const KINDS = [
  ['EIO', 'read'],
  ['EIO', 'write', 'truncate', 'sync'],
  ['ENOSPC', 'write', 'truncate'],
  ...(isLong
    ? ([
        ['EIO', 'write'],
        ['EIO', 'truncate'],
        ['EIO', 'sync'],
      ] as const)
    : []),
] as const;

describe('errors of the disk', () => {
  it.for(KINDS)('are 503s while they last, and it comes back by itself: %s', async (kind, context) => {
    const opened = await open(context);
    if (!opened) return;
    const { disk, server, client } = opened;
    const [error, ...calls] = kind;
    await client.ingest({ turns: [turn(0), turn(1)] });
    await settled(server.url);

    let over = false;
    const loaded = load(client, server, () => over);
    await pause(500);
    disk.fail(error, ...calls);
    await pause(FAULT_MS);
    disk.heal();
    await pause(500);
    over = true;
    const { acknowledged, faults, refused } = await loaded;
    expect([...new Set(faults)]).toEqual([]);
    // An erasure that destroys nothing truncates nothing, and no other call waits for that.
    if (calls.some(call => call !== 'truncate')) expect(refused).toBeGreaterThan(0);

    await until(
      'every engine is well',
      async () => (await send(`${server.url}/readyz`, 'GET')).status === 200,
      WELL_WITHIN_MS,
    );
    await client.ingest({ turns: [turn(100_000)] });
    await settled(server.url).catch(async error => {
      const { body } = await send(`${server.url}/readyz`, 'GET');
      throw new Error(`${JSON.stringify(body)}\n${server.stderr().slice(-4_000)}`, { cause: error });
    });
    for (const [n, id] of acknowledged) {
      const { hits } = await client.recall({ q: sentence(2 * n) });
      expect(hits.turns.map(hit => hit.id)).toContain(id);
    }
    const { tokens_in, tokens_out } = await client.today();
    expect(await server.stop()).toBe(0);
    const { turns, ...billed } = await billedByLog(server.dataDir);
    expect([...acknowledged.values()].filter(id => !turns.has(id))).toEqual([]);
    expect({ tokens_in, tokens_out }).toEqual(billed);
  });
});
