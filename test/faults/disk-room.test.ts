import { createHash } from 'node:crypto';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { mountSmallDisk, type SmallDisk } from '../support/files/small-disk.ts';
import { connect, send, settled } from '../support/http/client.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';
import { sentence, turn } from '../support/worlds/builders.ts';

const MIB = 1024 * 1024;
/** Returns text that can't be compressed; the same each time. */
const noise = (seed: string): string =>
  Array.from({ length: 40 }, (_, n) => createHash('sha512').update(`${seed}/${n}`).digest('base64')).join('');

const RESERVE_MIB = 6;
/** The room for what was under way when the reserve was reached, and its projections. */
const LEAST_LEFT = 2 * MIB;

let server: Server | undefined;
let disk: SmallDisk | undefined;
afterEach(async () => {
  await server?.kill();
  disk?.unmount();
});

/**
 * Old code wrote until the disk was full to its last page: recalls, erasures and projections failed with the
 * writes.
 */
it('refuses new turns before the disk is full, serves everything else, and goes on when there is room', async context => {
  disk = mountSmallDisk(64);
  if (!disk) {
    if (process.env.CI === 'true') throw new Error('a small disk can not be mounted here');
    context.skip('mounting a small disk needs root');
    return;
  }
  const { folder, free } = disk;
  server = await startServer({
    dataDir: folder,
    environment: {
      TURNSTONE_DISK_RESERVE_MB: String(RESERVE_MIB),
      TURNSTONE_QUOTA_TOKENS_IN: '0',
      TURNSTONE_CLOCK: '2026-03-10T08:00:00Z',
    },
  });
  const { url } = server;
  const client = await connect(server);
  const write = (n: number) =>
    client.request<{ usage: { tokens_in: number } }>('POST', '/ingestion/memory', {
      scope: { org_id: 'any' },
      turns: [
        turn(n),
        ...Array.from({ length: 5 }, (_, i) => ({
          ...turn(n),
          text: `of ${n}, ${i}: ${noise(`${n}/${i}`)}`,
        })),
      ],
      options: { write_passive: false },
    });
  expect((await write(0)).status).toBe(202);
  const ballast = join(folder, 'ballast');
  writeFileSync(ballast, Buffer.alloc(free() - 12 * MIB));

  let written = 1;
  for (; ; written++) {
    const { status, headers } = await write(written);
    expect(free()).toBeGreaterThan(LEAST_LEFT);
    if (status === 503) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      break;
    }
    expect(status).toBe(202);
    expect(written).toBeLessThan(2_000);
  }
  const kept = sentence(written - 1);
  await settled(url);
  // Checkpoints and erasures give something back.
  const ballasts = [ballast];
  const squeeze = (): void => {
    const more = join(folder, `ballast-${ballasts.length}`);
    ballasts.push(more);
    writeFileSync(more, Buffer.alloc(Math.max(0, free() - 5 * MIB)));
  };
  squeeze();
  // Writes that are taken before that are known from then on, and answered in any case.
  await until('it is noticed', async () => (await write(written++)).status === 503);
  // Calls that store nothing new, or little, are answered.
  const { hits } = await client.recall({ q: kept });
  expect(hits.turns.some(({ text }) => text.includes(kept))).toBe(true);
  expect(await write(0)).toMatchObject({ status: 202, body: { usage: { tokens_in: 0 } } });
  expect((await client.request('DELETE', '/memory?user_id=nobody')).status).toBe(200);
  expect((await client.today()).tokens_in).toBeGreaterThan(0);
  const readiness = () =>
    send<{ degraded: string[]; engines: Record<string, { detail: string }> }>(`${url}/readyz`, 'GET');
  // A state is at most a second old.
  await until('the disk is named', async () => {
    squeeze();
    return (await readiness()).body.degraded.includes('disk');
  });
  const ready = await readiness();
  expect(ready.status).toBe(200);
  expect(ready.body.engines.disk!.detail).toMatch(/below its reserve of 6 MiB/);

  for (const path of ballasts) rmSync(path);
  await until('writes are taken again', async () => (await write(written)).status === 202);
  await settled(url);
  expect(await server.stop()).toBe(0);
  const wals = readdirSync(folder).filter(name => name.endsWith('-wal'));
  expect(wals.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)).toBe(0);
});
