/**
 * Generations of the projections on a data folder: built, promoted, rolled back and removed, while calls are
 * answered. Kill -9 in the middle: test/faults/replay.test.ts.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { PROJECTIONS_VERSION } from '../../infra/embedded/index/file/stored-projections.ts';
import { changeProjections } from '../support/files/projections-file.ts';
import {
  type Client,
  connect,
  inParallel,
  metric,
  send,
  settled,
  withoutFreshness,
} from '../support/http/client.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';
import { sentence, turn } from '../support/worlds/builders.ts';
import { generationsOf, operate, replayed } from '../support/worlds/generations.ts';
import { makeLoad } from '../support/worlds/load.ts';

const environment = {
  TURNSTONE_CLOCK: '2026-03-10T08:00:00Z',
  TURNSTONE_QUOTA_TOKENS_IN: '0',
  TURNSTONE_QUOTA_TOKENS_OUT: '0',
};
const running: Server[] = [];
const start = async (dataDir?: string): Promise<Server> => {
  const server = await startServer({ environment, ...(dataDir !== undefined && { dataDir }) });
  running.push(server);
  return server;
};
afterEach(async () => {
  for (const server of running.splice(0)) await server.kill();
});

const fill = async (client: Client, turns: number, atOnce = 50): Promise<string[]> => {
  const jobs: string[] = [];
  await inParallel(Math.ceil(turns / atOnce), 4, async batch => {
    const own = Array.from({ length: atOnce }, (_, i) => batch * atOnce + i).map(n =>
      turn(n, {
        role: n % 2 ? 'Ada' : 'assistant',
        observations: n % 10 === 0 ? [`ref${n} matters`] : [],
        ...(n % 9 === 4 && { text: `My sister Grace moved to Lisbon in March. ref${n}` }),
      }),
    );
    const scope = { user_id: `user-${batch % 3}`, session_id: `session-${batch % 4}` };
    jobs[batch] = (await client.ingest({ scope, turns: own })).job_id;
  });
  return jobs;
};

const answersOf = async (client: Client, jobs: readonly string[]): Promise<unknown> => {
  const recalls: unknown[] = [];
  for (let n = 0; n < 12; n++) {
    const scope = [{}, { user_id: `user-${n % 3}` }, { session_id: `session-${n % 4}` }][n % 3]!;
    const mode = n % 2 ? 'deep' : 'active';
    const q = n % 4 === 0 ? 'Where did Grace move?' : sentence(n * 11);
    recalls.push(withoutFreshness(await client.recall({ q, mode, scope, include_timeline: n % 5 === 0 })));
  }
  const states = await Promise.all(jobs.map(job => client.job(job)));
  return { recalls, states, me: (await client.request('GET', '/me')).body };
};

const states = async (server: Server): Promise<Record<string, number>> =>
  Object.fromEntries((await generationsOf(server.dataDir)).map(({ state, number }) => [state, number]));

const generationsStatus = async (server: Server): Promise<string> => {
  const { status, body } = await send<{ engines: Record<string, { ok: boolean; detail: string }> }>(
    `${server.url}/readyz`,
    'GET',
  );
  expect(status).toBe(200);
  return body.engines.generations!.detail;
};

it('answers the same from a generation that was replayed, and from the one before it', async () => {
  const server = await start();
  const client = await connect(server);
  const jobs = await fill(client, 600);
  await settled(server.url);
  const before = await answersOf(client, jobs);

  const dry = await operate(server.dataDir, 'replay', 'usage', '--dry-run');
  expect(dry).toMatchObject({ status: 0, stderr: '' });
  expect(dry.stdout).toMatch(
    /^Would build generation 2 of all projections: [\d,]+ events to read, about [\d.]+ MB/,
  );
  expect(await states(server)).toEqual({ serving: 1 });

  const messages = await replayed(server.dataDir);
  expect(messages[0]).toMatchObject({ kind: 'plan', resumed: false, dryRun: false });
  expect(messages.find(({ kind }) => kind === 'verified')).toMatchObject({ differences: 0 });
  expect(messages.at(-1)).toMatchObject({ kind: 'promoted', generation: 2, standby: 1 });
  expect(await states(server)).toEqual({ serving: 2, standby: 1 });
  expect(await answersOf(client, jobs)).toEqual(before);

  // What is written meanwhile is in both.
  const usage = await client.today();
  const { active_fragment_ids } = await client.ingest({ turns: [turn(9_000)] });
  await until('the standby has it', async () =>
    (await generationsOf(server.dataDir)).every(({ behind }) => behind === 0),
  );
  const back = await operate(server.dataDir, 'rollback', 'all');
  expect(back).toMatchObject({ status: 0, stderr: '' });
  expect(await states(server)).toEqual({ serving: 1, standby: 2 });
  const { hits } = await client.recall({ q: sentence(9_000) });
  expect(hits.turns[0]!.id).toBe(active_fragment_ids[0]);
  expect((await client.today()).tokens_in).toBeGreaterThan(usage.tokens_in);
  expect((await client.ingest({ turns: [turn(9_000)] })).usage.tokens_in).toBe(0);

  expect((await operate(server.dataDir, 'retire', 'all')).stdout).toBe('Generation 2 is deleted.\n');
  const none = await operate(server.dataDir, 'rollback', 'all');
  expect(none).toMatchObject({ status: 1, stderr: 'turnstone: There is no standby generation.\n' });
  await server.stop();

  // Offline, on the same folder.
  expect((await replayed(server.dataDir)).at(-1)).toMatchObject({ generation: 3, standby: 1 });
  const again = await start(server.dataDir);
  expect(await generationsStatus(again)).toBe('generation 3 serves');
  await again.stop();
});

/** The switch itself is too short for a load to meet: test/unit/services/embedded/replay/generations.test.ts. */
it('switches and rolls back under load, and no call fails, misses a turn or reports other usage', async () => {
  const server = await start();
  const client = await connect(server);
  await fill(client, 500);
  const load = makeLoad(client, await client.today());
  load.start();
  await load.until(20);
  const settings = ['replay', 'rollback', 'replay'] as const;
  for (const name of settings) {
    const { status, stderr } = await operate(server.dataDir, name, 'all');
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    await load.more(10);
  }
  await load.stop();
  expect(load.faults()).toEqual([]);
  await settled(server.url, 60_000);
  const today = await client.today();
  expect({ tokens_in: today.tokens_in, tokens_out: today.tokens_out }).toEqual(load.billed());
  await server.stop();
});

it('refuses two replays at once; one that is stopped goes on from where it was', async () => {
  const server = await start();
  const client = await connect(server);
  // A record each: progress is told in records.
  await fill(client, 600, 1);
  await settled(server.url);
  const slow = operate(server.dataDir, 'replay', 'all', '--json', '--throttle', '200');
  await until('it builds', async () => (await states(server)).building === 2);
  await until('it has come somewhere', async () => {
    const [building] = (await generationsOf(server.dataDir)).filter(({ state }) => state === 'building');
    return building!.behind < 900 && building!.behind > 0;
  });
  expect(await generationsStatus(server)).toMatch(
    /^generation 1 serves; generation 2 is built: building, \d+ %$/,
  );
  const second = await operate(server.dataDir, 'replay', 'all');
  expect(second.status).toBe(1);
  expect(second.stderr).toContain('A replay is running already');
  // As Ctrl-C would: the command is in this process.
  process.emit('SIGINT');
  const ended = await slow;
  expect(ended.status).toBe(1);
  expect(ended.stderr).toContain('`turnstone replay all` resumes it');
  await until(
    'nothing is built any more',
    async () => (await generationsStatus(server)) === 'generation 1 serves',
  );
  expect(await states(server)).toEqual({ serving: 1, building: 2 });

  const [plan, ...rest] = await replayed(server.dataDir);
  expect(plan).toMatchObject({ kind: 'plan', resumed: true, generation: { number: 2 } });
  expect((plan as { events: number }).events).toBeLessThan(900);
  expect(rest.at(-1)).toMatchObject({ kind: 'promoted', generation: 2, standby: 1 });
  await server.stop();
});

describe('a standby that fails', () => {
  it('is dropped with an alarm, and what serves goes on', async () => {
    const server = await start();
    const client = await connect(server);
    await fill(client, 100);
    await settled(server.url);
    await replayed(server.dataDir);
    const broken = new DatabaseSync(join(server.dataDir, 'projections-1.db'));
    broken.exec('DROP TABLE jobs');
    broken.close();
    const write = (n: number) => client.ingest({ turns: [turn(n)] });
    let n = 5_000;
    await until(
      'it is dropped',
      async () => {
        await write(n++);
        return (await metric(server.url, 'turnstone_generations_dropped')) === 1;
      },
      30_000,
    );
    expect(await generationsStatus(server)).toMatch(/^generation 2 serves; generation 1 was dropped: .*jobs/);
    expect(server.stderr()).toContain('a generation of the projections was dropped');
    expect(await states(server)).toEqual({ serving: 2 });
    const { active_fragment_ids } = await write(n);
    await settled(server.url);
    expect(await metric(server.url, 'turnstone_tail_events')).toBe(0);
    const { hits } = await client.recall({ q: sentence(n) });
    expect(hits.turns[0]!.id).toBe(active_fragment_ids[0]);
    await server.stop();
  });

  it('is dropped at the start too', async () => {
    const first = await start();
    await fill(await connect(first), 100);
    await settled(first.url);
    await replayed(first.dataDir);
    await first.stop();
    changeProjections(first.dataDir, 'DROP TABLE fragments; CREATE TABLE fragments (no INTEGER PRIMARY KEY)');
    const second = await start(first.dataDir);
    expect(await generationsStatus(second)).toMatch(/^generation 2 serves; generation 1 was dropped: /);
    expect(await states(second)).toEqual({ serving: 2 });
    await second.stop();
  });
});

describe('after an upgrade', () => {
  const TURNS = 8_000;

  it('the old generation serves as it is until the new one is ready', async () => {
    const first = await start();
    const client = await connect(first);
    await inParallel(TURNS / 500, 4, async batch => {
      const turns = Array.from({ length: 500 }, (_, i) => turn(batch * 500 + i));
      await client.ingest({ scope: { user_id: `user-${batch}` }, turns });
    });
    await settled(first.url, 120_000);
    const usage = await client.today();
    await first.stop();
    changeProjections(first.dataDir, `UPDATE meta SET value = '3' WHERE name = 'version'`);

    const second = await start(first.dataDir);
    expect(await generationsStatus(second)).toMatch(
      new RegExp(
        `^generation 1 is of version 3 and stands still; this release writes ${PROJECTIONS_VERSION}; generation 2 is built: `,
      ),
    );
    expect(await states(second)).toEqual({ serving: 1, building: 2 });
    const again = await connect(second);
    expect((await again.today()).tokens_in).toBe(usage.tokens_in);
    const old = await again.recall({ q: sentence(77) });
    expect(old.hits.turns[0]!.text).toContain('ref77');
    // What is new is found and billed from the tail, and accounts can be changed.
    const written = await again.ingest({ turns: [turn(20_000)] });
    const found = await again.recall({ q: sentence(20_000) });
    expect(found.hits.turns[0]!.id).toBe(written.active_fragment_ids[0]);
    const signup = await send<{ api_key: string }>(`${second.url}/signup`, 'POST', { org_id: 'another' });
    expect(signup.status).toBe(201);
    await connect({ url: second.url, apiKey: signup.body.api_key });
    expect(await states(second)).toEqual({ serving: 1, building: 2 });
    const before = await again.today();

    await until('the new one serves', async () => (await states(second)).serving === 2, 120_000);
    expect(await generationsStatus(second)).toBe('generation 2 serves');
    expect(await states(second)).toEqual({ serving: 2 });
    expect((await again.today()).tokens_in).toBe(before.tokens_in);
    const after = await again.recall({ q: sentence(20_000) });
    expect(after.hits.turns[0]!.id).toBe(written.active_fragment_ids[0]);
    await connect({ url: second.url, apiKey: signup.body.api_key });
    await settled(second.url, 60_000);
    await second.stop();
  });

  it('builds a file of another format anew, and removes what is left over', async () => {
    const first = await start();
    const client = await connect(first);
    const { active_fragment_ids } = await client.ingest({ turns: [turn(1)] });
    await settled(first.url);
    await first.stop();
    changeProjections(first.dataDir, `UPDATE meta SET value = '2' WHERE name IN ('version', 'format')`);
    writeFileSync(join(first.dataDir, 'projections-7.db'), 'a leftover');
    const second = await start(first.dataDir);
    await settled(second.url);
    expect(await states(second)).toEqual({ serving: 1 });
    const { hits } = await (await connect(second)).recall({ q: sentence(1) });
    expect(hits.turns[0]!.id).toBe(active_fragment_ids[0]);
    await second.stop();
  });
});
