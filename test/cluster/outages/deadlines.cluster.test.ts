/**
 * Engines that stand still, rather than refuse: what needs them is a 503 within the time of a call, a process
 * ends within the time that is documented, and all is well soon after they go on. The numbers are printed.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canStartEngines, type OwnEngines, startEngines } from '../../support/engines/own-engines.ts';
import { type Client, metric } from '../../support/http/client.ts';
import { type Cluster, makeCluster, type Role } from '../../support/processes/cluster.ts';
import { spawnCommand } from '../../support/processes/command-line.ts';
import type { Server } from '../../support/processes/server.ts';
import { pause, until, untilDefined } from '../../support/wait.ts';
import { turn } from '../../support/worlds/builders.ts';

const PORT = 20_100;
const PATIENCE_MS = 120_000;
/** As docs/reference/limits.md has it, and a moment for the way of the answer. */
const CALL_MS = 30_000 + 1_000;
/** As docs/operate/cluster.md has it, without a pause before. */
const END_MS = 10_000;
/** After an engine goes on: the projector's longest pause, and what it has missed. */
const BACK_MS = 30_000;
/** Days that the counters no longer have. */
const EARLIER = '/usage/summary?month=2026-01';

if (!canStartEngines && process.env.CI)
  throw new Error('TURNSTONE_TEST_ENGINES must name the engines script');

const timed = async <T>(work: () => Promise<T>): Promise<{ ended: T; ms: number }> => {
  const began = performance.now();
  const ended = await work();
  return { ended, ms: Math.round(performance.now() - began) };
};

describe.skipIf(!canStartEngines)('a cluster of which an engine stands still', { timeout: 400_000 }, () => {
  let engines: OwnEngines;
  let cluster: Cluster;
  let api: Server;
  let client: Client;
  let n = 10;

  beforeAll(async () => {
    engines = await startEngines(PORT, 3);
    cluster = await makeCluster(engines.environment);
    api = await cluster.start('api');
    await cluster.start('projector');
    client = await cluster.client(api);
  }, 400_000);
  afterAll(async () => {
    await cluster?.close();
    await engines?.close();
  }, 120_000);

  const write = (user: string, by = client) =>
    by.request('POST', '/ingestion/memory', {
      scope: { org_id: 'acme', user_id: user, session_id: `s${n % 3}` },
      turns: [{ ...turn(n++), timestamp: new Date(Date.now() - 60_000).toISOString() }],
    });
  const recall = (by = client) =>
    by.request('POST', '/recall', { scope: { org_id: 'acme', user_id: 'ada' }, q: 'which violin?' });
  const erase = (user: string, by = client) =>
    by.request('DELETE', '/memory', { scope: { org_id: 'acme', user_id: user } });
  const statusOf = async (asked: Promise<{ status: number }>): Promise<number> => (await asked).status;

  it('answers erasures 503 in time while ClickHouse stands still, and does them soon after, beside a replay', async () => {
    for (const user of ['ada', 'grace', 'ida']) expect(await statusOf(write(user))).toBe(202);
    const isProjected = async () => (await metric(api.url, 'turnstone_projector_lag_events')) === 0;
    await until('all is projected', isProjected, PATIENCE_MS);
    await engines.pause('clickhouse');
    const replaying = spawnCommand(['replay', 'usage'], cluster.environment);
    expect(await statusOf(write('ada'))).toBe(202);
    const refused = await Promise.all(
      ['ada', 'grace', 'ida'].map(user => timed(() => statusOf(erase(user)))),
    );
    await engines.resume('clickhouse');
    const back = await timed(() =>
      untilDefined(
        'an erasure is done',
        async () => ((await statusOf(erase('ada'))) === 200 ? true : undefined),
        PATIENCE_MS,
      ),
    );
    const replayed = await replaying;
    console.log(JSON.stringify({ refused, backMs: back.ms, replay: replayed.status }));
    for (const { ended, ms } of refused) {
      expect([200, 503]).toContain(ended);
      expect(ms).toBeLessThan(CALL_MS);
    }
    expect(back.ms).toBeLessThan(BACK_MS);
  });

  for (const [role, engine] of [
    ['api', 'clickhouse'],
    ['api', 'kafka'],
    ['projector', 'clickhouse'],
    ['projector', 'elasticsearch'],
  ] as const satisfies [Role, string][])
    it(`ends a process of the role ${role} in time while ${engine} stands still`, async () => {
      const server = await cluster.start(role);
      const own = role === 'projector' ? client : await cluster.client(server);
      await own.request('GET', EARLIER);
      await engines.pause(engine);
      try {
        // Some for it to answer, or to project.
        const asked = [own.request('GET', EARLIER), write('ada', own), recall(own), erase('ada', own)];
        for (const one of asked) one.catch(() => {});
        await pause(2_000);
        const { ended, ms } = await timed(server.stop);
        console.log(JSON.stringify({ role, engine, status: ended, ms }));
        expect({ status: ended, told: server.stderr().match(/closing \w+ [^"]*/)?.[0] }).toEqual({
          status: 0,
          told: undefined,
        });
        expect(ms).toBeLessThan(END_MS);
        void Promise.allSettled(asked);
      } finally {
        await engines.resume(engine);
      }
      await until('it is whole again', async () => (await statusOf(recall())) === 200, PATIENCE_MS);
    });

  it('answers recalls and writes 503 in time while two of three brokers are down, and answers them again after', async () => {
    await until('a recall is answered', async () => (await statusOf(recall())) === 200, PATIENCE_MS);
    await Promise.all([engines.kill('kafka', 2), engines.kill('kafka', 3)]);
    const asked: { ended: number; ms: number }[] = [];
    const ask = async (): Promise<void> => {
      const began = performance.now();
      while (performance.now() - began < 45_000) {
        const answers = [timed(() => statusOf(recall())), timed(() => statusOf(write('ada')))];
        asked.push(...(await Promise.all(answers)));
        await pause(500);
      }
    };
    await Promise.all(Array.from({ length: 4 }, ask));
    await Promise.all([engines.start('kafka', 2), engines.start('kafka', 3)]);
    const back = await timed(() =>
      until('recalls are answered again', async () => (await statusOf(recall())) === 200, PATIENCE_MS),
    );
    const slowest = Math.max(...asked.map(({ ms }) => ms));
    const refused = asked.filter(({ ended }) => ended === 503).length;
    console.log(JSON.stringify({ asked: asked.length, refused, slowest, backMs: back.ms }));
    expect(refused).toBeGreaterThan(0);
    expect(new Set(asked.map(({ ended }) => ended))).not.toContain(500);
    expect(slowest).toBeLessThan(CALL_MS);
  });
});
