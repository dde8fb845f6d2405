import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { NewRecord } from '../../core/ports.ts';
import { deadLetter } from '../../services/workers/projector/poison.ts';
import { inFolder } from '../contracts/openers/log.ts';
import { connect, metric, send, settled } from '../support/http/client.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';
import { sentence, turn } from '../support/worlds/builders.ts';
import { type PoisonRecord, poisonOf } from '../support/worlds/poison.ts';

const environment = { TURNSTONE_CLOCK: '2026-03-10T08:00:00Z' };
const KEY = JSON.stringify(['local', 'owner', 'default-session']);
let running: Server | undefined;
afterEach(async () => {
  await running?.kill();
  running = undefined;
});

const text = new TextEncoder();
const record = (value: Uint8Array): NewRecord => ({
  topic: 'turns',
  key: KEY,
  value,
  headers: { correlation_id: 'c-1' },
});

/**
 * Invariant 6. Switched off by hand: services/workers/projector/step.ts appends no dead letters → "expected
 * [] to have a length of 15 but got +0"; and a limit of 1e9 instead of 100 → /readyz stays 200 ("not within
 * 20000 ms").
 */
it('sets poison aside with its address and reason, and goes on with the rest', async () => {
  const first = await startServer({ environment });
  const client = await connect(first);
  await client.ingest({ turns: [turn(1)] });
  await settled(first.url);
  const usage = await client.today();
  await first.stop();

  const addresses = await inFolder(first.dataDir, async ({ log, records, events }) => {
    const [good] = (await events('turns')).filter(event => event.type === 'turn.recorded');
    const { value } = (await records('turns')).find(
      each => each.offset === good!.offset && each.partition === good!.partition,
    )!;
    const found: (PoisonRecord & { partition: number; offset: number })[] = [];
    for (const poison of poisonOf(value)) {
      const [address] = await log.append([record(poison.value)]);
      found.push({ ...poison, partition: address!.partition, offset: address!.offset });
    }
    return found;
  });

  const second = await startServer({ environment, dataDir: first.dataDir });
  running = second;
  const again = await connect(second);
  const written = await again.ingest({ turns: [turn(2)] });
  await settled(second.url);
  expect(await metric(second.url, 'turnstone_dead_letters')).toBe(addresses.length);
  expect((await send(`${second.url}/readyz`, 'GET')).status).toBe(200);
  const { hits } = await again.recall({ q: sentence(2) });
  expect(hits.turns[0]!.id).toBe(written.active_fragment_ids[0]);
  const { tokens_in } = await again.today();
  expect(tokens_in - usage.tokens_in).toBeLessThan(100);
  const metrics = await send<string>(`${second.url}/metrics`, 'GET');
  expect(metrics.body).toContain(
    'turnstone_dead_letters_by_reason{step="validate",reason="unknown event version"} 3',
  );
  expect(metrics.body).toContain('turnstone_projector_stopped{reason="in_a_row"} 0');
  const output = second.stdout() + second.stderr();
  await second.stop();

  expect(output).not.toContain('no JSON at all');
  await inFolder(second.dataDir, async ({ records }) => {
    const letters = await records('dead-letters');
    expect(letters).toHaveLength(addresses.length);
    const byOffset = new Map(
      letters.map(letter => [`${letter.headers.partition}/${letter.headers.offset}`, letter]),
    );
    for (const { step, reason, partition, offset, value } of addresses) {
      const letter = byOffset.get(`${partition}/${offset}`)!;
      expect(letter.headers).toMatchObject({ topic: 'turns', step, reason, correlation_id: 'c-1' });
      expect(Buffer.from(letter.value).equals(value)).toBe(true);
    }
  });

  // Set aside once: a restart doesn't do it again.
  const third = await startServer({ environment, dataDir: first.dataDir });
  running = third;
  await settled(third.url);
  expect(await metric(third.url, 'turnstone_dead_letters')).toBe(0);
  await third.stop();
});

it('stops before it passes over a hundred in a row, and says so', async () => {
  const first = await startServer({ environment });
  await (await connect(first)).ingest({ turns: [turn(1)] });
  await settled(first.url);
  await first.stop();
  await inFolder(first.dataDir, ({ log }) =>
    log.append(Array.from({ length: 100 }, (_, n) => record(text.encode(`poison ${n}`)))),
  );
  const second = await startServer({ environment, dataDir: first.dataDir });
  running = second;
  await until('/readyz says that the projector has stopped', async () => {
    const { status, body } = await send<{ engines: Record<string, { ok: boolean; detail: string }> }>(
      `${second.url}/readyz`,
      'GET',
    );
    return (
      status === 503 &&
      body.engines.projections?.ok === false &&
      /^100 events in a row of turns\/\d .* TURNSTONE_DEAD_LETTERS_IN_A_ROW /.test(
        body.engines.projections.detail,
      )
    );
  });
  const metrics = await send<string>(`${second.url}/metrics`, 'GET');
  expect(metrics.body).toContain('turnstone_projector_stopped{reason="in_a_row"} 1');
  // An operator is answered all the same: over the socket, and with no server.
  const list = () => runCommand(['dead-letters', 'list'], { TURNSTONE_DATA_DIR: second.dataDir });
  expect(await list()).toMatchObject({ status: 0, stdout: '0 dead letters\n' });
  expect((await send(`${second.url}/healthz`, 'GET')).status).toBe(200);
  await second.stop();
  running = undefined;
  // Nothing was passed over: a release that can read them will.
  await inFolder(second.dataDir, async ({ records }) => expect(await records('dead-letters')).toEqual([]));
  expect(await list()).toMatchObject({ status: 0, stdout: '0 dead letters\n' });

  // Where no release can read them, the limit is raised, and they are set aside.
  const raised = { TURNSTONE_DEAD_LETTERS_IN_A_ROW: '0', TURNSTONE_DEAD_LETTERS_SHARE: '0' };
  running = await startServer({
    environment: { ...environment, ...raised },
    dataDir: first.dataDir,
  });
  await settled(running.url);
  expect(await metric(running.url, 'turnstone_dead_letters')).toBe(100);
});

it('stops at a share of poison among good events, and names the variable', async () => {
  const first = await startServer({ environment });
  await (await connect(first)).ingest({ turns: [turn(1)] });
  await settled(first.url);
  await first.stop();
  await inFolder(first.dataDir, async ({ log, records }) => {
    // Half of the events are poison: events count, and a record that can't be read counts as one.
    const [good] = await records('turns');
    await log.append(
      Array.from({ length: 300 }, (_, n) => record(n % 2 === 0 ? text.encode(`poison ${n}`) : good!.value)),
    );
  });
  const second = await startServer({ environment, dataDir: first.dataDir });
  running = second;
  await until('/readyz names the share', async () => {
    const { body } = await send<{ engines: Record<string, { detail: string }> }>(
      `${second.url}/readyz`,
      'GET',
    );
    return /^100 of the last \d+ events of turns\/\d .* TURNSTONE_DEAD_LETTERS_SHARE /.test(
      body.engines.projections!.detail,
    );
  });
  const metrics = await send<string>(`${second.url}/metrics`, 'GET');
  expect(metrics.body).toContain('turnstone_projector_stopped{reason="share"} 1');
});

it('is listed, shown, requeued and discarded by the command line, with a server and without', async () => {
  const first = await startServer({ environment });
  const client = await connect(first);
  await client.ingest({ turns: [turn(1)] });
  await settled(first.url);
  await first.stop();
  const { good, letters } = await inFolder(first.dataDir, async ({ log, records, events }) => {
    const [recorded] = (await events('turns')).filter(event => event.type === 'turn.recorded');
    const { partition, offset } = recorded!;
    const original = (await records('turns')).find(
      each => each.offset === offset && each.partition === partition,
    )!;
    const [address] = await log.append([record(text.encode('my secret words'))]);
    // As a build that can not read it would have set it aside.
    await log.append([
      deadLetter(original, { kind: 'poison', step: 'validate', reason: 'unknown event type' }),
    ]);
    return {
      good: `turns/${partition}/${offset}`,
      letters: [`turns/${partition}/${offset}`, `turns/${address!.partition}/${address!.offset}`],
    };
  });
  const bad = letters[1]!;

  const second = await startServer({ environment, dataDir: first.dataDir });
  running = second;
  const again = await connect(second);
  await settled(second.url);
  const before = { recall: (await again.recall({ q: sentence(1) })).hits, usage: await again.today() };
  const commandLine = (...args: string[]) =>
    runCommand(['dead-letters', ...args], { TURNSTONE_DATA_DIR: first.dataDir });

  const listed = JSON.parse((await commandLine('list', '--json')).stdout);
  expect(listed).toMatchObject([
    { position: good, state: 'open', step: 'validate', org: 'local', type: 'turns.recorded' },
    { position: bad, state: 'open', step: 'parse', reason: 'not UTF-8 JSON', org: null, bytes: 15 },
  ]);
  expect((await commandLine('list', '--step', 'parse')).stdout).toMatch(/^1 dead letter, 1 open$/m);
  const shown = await commandLine('show', bad);
  expect(shown.stdout).toMatch(/^sha256 +[0-9a-f]{64}$/m);
  expect(shown.stdout).not.toContain('secret');
  const raw = join(first.dataDir, 'raw');
  expect((await commandLine('show', bad, '--raw', raw)).status).toBe(0);
  expect(readFileSync(raw, 'utf8')).toBe('my secret words');
  expect(await commandLine('show', bad, '--raw', raw)).toMatchObject({ status: 1 });
  expect(await commandLine('show', 'turns/0/999999')).toMatchObject({ status: 1 });

  const requeued = await commandLine('requeue', '--all');
  expect(requeued.status).toBe(1);
  expect(requeued.stdout).toContain(
    `${bad}  left alone: this release can't read it either: parse, not UTF-8 JSON`,
  );
  expect(requeued.stdout).toMatch(new RegExp(`^${good}  requeued as turns/\\d/\\d+$`, 'm'));
  await settled(second.url);
  // Read before as well as after: it changes nothing.
  expect((await again.recall({ q: sentence(1) })).hits).toEqual(before.recall);
  const tokens = (await again.today()).tokens_in - before.usage.tokens_in;
  // The recall alone.
  expect(tokens).toBe((await again.recall({ q: sentence(1) })).usage.tokens_in);
  await second.stop();

  expect(await commandLine('discard', bad)).toMatchObject({
    status: 0,
    stdout: `${bad}  discarded\n1 dead letter discarded\n`,
  });
  expect((await commandLine('list')).stdout).toMatch(/^2 dead letters, 1 requeued, 1 discarded$/m);
  expect(await commandLine('discard', 'nowhere')).toMatchObject({ status: 2 });
  expect(await commandLine('requeue')).toMatchObject({ status: 2 });
});
