/**
 * Generations of the projections on a data folder: built, promoted, rolled back and removed, while calls are
 * answered. Kill -9 in the middle: test/faults/replay.test.ts.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { changeProjections } from '../support/files/projections-file.ts';
import { type Client, connect, metric, settled, withoutFreshness } from '../support/http/client.ts';
import { until } from '../support/wait.ts';
import { sentence, turn } from '../support/worlds/builders.ts';
import { generationsOf, operate, replayed } from '../support/worlds/generations.ts';
import { endServers, fill, generationsStatus, start, states } from './generations.ts';

afterEach(endServers);

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

  // A turn that is written meanwhile is in both.
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
