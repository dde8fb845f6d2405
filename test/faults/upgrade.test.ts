/**
 * A data folder that today's build wrote and that its SIGKILL left, under a build in which one event has a
 * version more (test/support/next-build).
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { GenerationNames } from '../../core/ports.ts';
import { billedByLog } from '../contracts/openers/log.ts';
import { changeProjections } from '../support/files/projections-file.ts';
import { connect, settled } from '../support/http/client.ts';
import { NEXT_BUILD } from '../support/next-build/environment.ts';
import { registry } from '../support/next-build/registry.ts';
import { spawnCommand } from '../support/processes/command-line.ts';
import { type Server, startServer, temporaryFolder } from '../support/processes/server.ts';
import {
  expectAnswers,
  expectNewcomer,
  expectNewWrites,
  expectOrganization,
} from '../support/upgrade/check.ts';
import { startNewcomer } from '../support/upgrade/newcomer.ts';
import { CLOCK, type OrganizationThen, secondOrganization, tell } from '../support/upgrade/world.ts';
import { until } from '../support/wait.ts';

const NO_CAPS = { TURNSTONE_QUOTA_TOKENS_IN: '0', TURNSTONE_QUOTA_TOKENS_OUT: '0' };
/** Started again on the same day, so that this day is the only one. */
const SAME_DAY = '2026-10-20T12:00:00Z';
/** Long after the folder was written: its claims, tokens and days are over. */
const LATER = { TURNSTONE_CLOCK: '2027-03-01T09:00:00Z' };

let running: Server[] = [];
afterEach(async () => {
  await Promise.all(running.map(server => server.kill()));
  running = [];
});
const start = async (dataDir: string, environment: Record<string, string>): Promise<Server> => {
  const server = await startServer({ dataDir, environment: { ...NO_CAPS, ...environment } });
  running.push(server);
  return server;
};

const operate = async (dataDir: string, ...args: string[]): Promise<string> => {
  const ended = await spawnCommand(args, { ...NEXT_BUILD, TURNSTONE_DATA_DIR: dataDir });
  expect(ended, ended.stdout + ended.stderr).toMatchObject({ status: 0 });
  return ended.stdout;
};

let left: string;
let organizations: OrganizationThen[];
beforeAll(async () => {
  const first = await startServer({ environment: { ...NO_CAPS, TURNSTONE_CLOCK: CLOCK } });
  const { dataDir, apiKey } = first;
  const beta = await secondOrganization({ TURNSTONE_DATA_DIR: dataDir });
  const keys = [
    { org: 'local', apiKey },
    { org: 'beta', apiKey: beta },
  ];
  left = temporaryFolder();
  organizations = await tell(keys, first, async () => {
    cpSync(dataDir, left, { recursive: true, filter: path => !path.endsWith('.sock') });
    return start(dataDir, { TURNSTONE_CLOCK: SAME_DAY });
  });
  await Promise.all(running.map(server => server.kill()));
});

/** A copy of what the SIGKILL left. */
const restored = (): string => {
  const dataDir = temporaryFolder();
  cpSync(left, dataDir, { recursive: true });
  return dataDir;
};

it('a data folder of the build before answers as it did, and goes on', async () => {
  const dataDir = restored();
  const server = await start(dataDir, { ...LATER, ...NEXT_BUILD });
  await settled(server.url);
  for (const then of organizations) await expectOrganization(server.url, then);
  await operate(dataDir, 'verify');
  await operate(dataDir, 'replay', 'all');
  for (const then of organizations) {
    const client = await connect({ url: server.url, apiKey: then.apiKey });
    await expectAnswers(client, then);
    await expectNewWrites(client, then);
  }
  await settled(server.url);
  expect(JSON.parse(await operate(dataDir, 'dead-letters', 'list', '--json'))).toEqual([]);
});

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise(resolve => server.close(resolve));
  return port;
};

it('the next build keeps and bills once what was acknowledged, killed again and again while it takes over', async () => {
  const dataDir = restored();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const environment = { ...NO_CAPS, ...LATER, TURNSTONE_PORT: String(port) };
  const newcomer = startNewcomer(() => url, organizations[0]!.apiKey);
  onTestFinished(newcomer.abandon);
  const written = (): number => newcomer.acknowledged().length;

  /** Starts it, waits for the moment, kills it. */
  const killedAt = async (
    what: string,
    moment: () => boolean | Promise<boolean>,
    build: Record<string, string> = NEXT_BUILD,
  ): Promise<void> => {
    let child: ChildProcess | undefined;
    let gone: Promise<unknown> | undefined;
    const spawned = (one: ChildProcess): void => {
      child = one;
      gone = once(one, 'exit');
    };
    // It fails where it is killed before it is ready.
    const started = startServer({ dataDir, environment: { ...environment, ...build }, spawned }).catch(
      () => undefined,
    );
    await until(what, moment, 45_000).finally(() => child!.kill('SIGKILL'));
    await Promise.all([gone, started]);
  };
  const generations = (): GenerationNames =>
    JSON.parse(readFileSync(join(dataDir, 'generations.json'), 'utf8'));
  const more = (writes: number): (() => boolean) => {
    const enough = written() + writes;
    return () => written() >= enough;
  };

  await killedAt('the build before acknowledges', more(10), {});
  await killedAt('it has acknowledged some', more(5));
  changeProjections(dataDir, "UPDATE meta SET value = '7' WHERE name = 'version'");
  await killedAt('a rebuild begins', () => generations().building !== null);
  await killedAt('it acknowledges after the rebuild began', more(5));
  await killedAt('it starts', () => pause(300, true));

  const server = await start(dataDir, { ...environment, ...NEXT_BUILD });
  await until('more is acknowledged', more(10));
  await newcomer.stop();
  expect(newcomer.faults()).toEqual([]);
  // Its number doesn't matter: the kill may have left a file without its tables, and the next rebuild is then
  // of number 3.
  await until('it is promoted', () => generations().serving !== 1);
  await settled(server.url);
  for (const then of organizations) await expectOrganization(server.url, then);
  const client = await connect(server);
  await expectNewcomer(client, newcomer.acknowledged());
  await operate(dataDir, 'verify');
  const beta = await connect({ url, apiKey: organizations[1]!.apiKey });
  const told = { tokens_in: 0, tokens_out: 0 };
  for (const { tokens_in, tokens_out } of [await client.today(), await beta.today()]) {
    told.tokens_in += tokens_in;
    told.tokens_out += tokens_out;
  }
  expect(await server.stop()).toBe(0);
  const { turns: _, ...billed } = await billedByLog(dataDir, LATER.TURNSTONE_CLOCK.slice(0, 10), registry);
  expect(told).toEqual(billed);
});
