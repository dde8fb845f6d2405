import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { billedByLog } from '../contracts/openers/log.ts';
import { mountSmallDisk } from '../support/files/small-disk.ts';
import { type Client, connect, send, settled } from '../support/http/client.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';
import { sentence, turn } from '../support/worlds/builders.ts';

const environment = { TURNSTONE_CLOCK: '2026-03-10T08:00:00Z' };
let cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  cleanups = [];
});

const write = (client: Client, n: number) =>
  client.request<{ usage: { tokens_in: number }; active_fragment_ids: string[] }>(
    'POST',
    '/ingestion/memory',
    {
      scope: { org_id: 'any' },
      turns: Array.from({ length: 20 }, (_, i) => turn(n * 20 + i)),
    },
  );

/** 503 with Retry-After, and nothing else, is how an outage looks. */
const isOutage = ({ status, headers }: { status: number; headers: Headers }): boolean =>
  status === 503 && Number(headers.get('retry-after')) > 0;

const start = async (dataDir?: string): Promise<{ server: Server; client: Client }> => {
  const server = await startServer({ environment, ...(dataDir && { dataDir }) });
  cleanups.push(() => server.kill());
  return { server, client: await connect(server) };
};

/** Everything that was acknowledged is found, now and after a restart, and billed as the log says. */
const checkKept = async (
  server: Server,
  client: Client,
  acknowledged: Map<number, string>,
): Promise<void> => {
  await settled(server.url);
  for (const [n, id] of acknowledged) {
    const { hits } = await client.recall({ q: sentence(n * 20) });
    expect(hits.turns.map(hit => hit.id)).toContain(id);
  }
  const { tokens_in, tokens_out } = await client.today();
  expect(await server.stop()).toBe(0);
  const { turns: _, ...billed } = await billedByLog(server.dataDir);
  expect({ tokens_in, tokens_out }).toEqual(billed);
};

describe('a full disk', () => {
  it('is a 503 while it lasts, loses nothing, and is over when there is room', async context => {
    const disk = mountSmallDisk(12);
    if (!disk) {
      if (process.env.CI === 'true') throw new Error('a small disk can not be mounted here');
      context.skip('mounting a small disk needs root');
      return;
    }
    cleanups.push(disk.unmount);
    const { server, client } = await start(disk.folder);
    const acknowledged = new Map<number, string>();
    const keep = (n: number, answer: Awaited<ReturnType<typeof write>>): void => {
      if (answer.status === 202) acknowledged.set(n, answer.body.active_fragment_ids[0]!);
      else expect(isOutage(answer)).toBe(true);
    };
    keep(0, await write(client, 0));
    writeFileSync(join(disk.folder, 'ballast'), Buffer.alloc(Math.max(disk.free() - 1_000_000, 0)));

    let refused = 0;
    for (let n = 1; refused < 10; n++) {
      expect(n).toBeLessThan(1_000);
      const answer = await write(client, n);
      keep(n, answer);
      if (answer.status === 503) refused++;
    }
    expect((await send(`${server.url}/healthz`, 'GET')).status).toBe(200);

    rmSync(join(disk.folder, 'ballast'));
    const known = acknowledged.size;
    await until('writes are taken again', async () => {
      const answer = await write(client, 2_000);
      keep(2_000, answer);
      return answer.status === 202;
    });
    expect(acknowledged.size).toBe(known + 1);
    await checkKept(server, client, acknowledged);
  });
});

describe('a locked database', () => {
  const hold = (path: string): (() => void) => {
    const database = new DatabaseSync(path, { timeout: 5_000 });
    database.exec('BEGIN IMMEDIATE');
    const release = (): void => {
      if (database.isOpen) database.close();
    };
    cleanups.push(release);
    return release;
  };

  it('of the log is a 503, and nothing is stored or billed', async () => {
    const { server, client } = await start();
    const acknowledged = new Map([[0, (await write(client, 0)).body.active_fragment_ids[0]!]]);
    await settled(server.url);
    const before = await client.today();
    const release = hold(join(server.dataDir, 'log.db'));
    for (let round = 0; round < 2; round++) {
      const answers = await Promise.all([
        write(client, 1),
        client.request('POST', '/recall', { scope: { org_id: 'any' }, q: 'kettle' }),
      ]);
      expect(answers.map(isOutage)).toEqual([true, true]);
      expect(await client.today()).toEqual(before);
    }
    release();
    await until('writes are taken again', async () => (await write(client, 1)).status === 202);
    acknowledged.set(1, (await write(client, 1)).body.active_fragment_ids[0]!);
    await checkKept(server, client, acknowledged);
  });

  it('of the projections holds up the projector and nobody else', async () => {
    const { server, client } = await start();
    await write(client, 0);
    await settled(server.url);
    const release = hold(join(server.dataDir, 'projections-1.db'));
    const acknowledged = new Map<number, string>();
    for (let n = 1; n <= 30; n++) {
      const { status, body } = await write(client, n);
      expect(status).toBe(202);
      acknowledged.set(n, body.active_fragment_ids[0]!);
      const { hits } = await client.recall({ q: sentence(n * 20) });
      expect(hits.turns.map(hit => hit.id)).toContain(body.active_fragment_ids[0]);
      expect((await write(client, n)).body.usage.tokens_in).toBe(0);
    }
    const before = await client.today();
    release();
    await settled(server.url);
    expect(await client.today()).toEqual(before);
    await checkKept(server, client, acknowledged);
  });
});
