/**
 * Random clients over HTTP while a seed chooses faults: kill -9, SIGSTOP, an older copy of the projections.
 * At the end everything is as the clients were told (test/support/outside/checker.ts). The cluster has the
 * same in test/cluster/outages/histories.cluster.test.ts. `TURNSTONE_TEST_SEED` repeats a history.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inFolder } from '../contracts/openers/log.ts';
import { changeProjections } from '../support/files/projections-file.ts';
import { settled } from '../support/http/client.ts';
import { rounds } from '../support/long.ts';
import { makeCalls, type Plant } from '../support/outside/calls.ts';
import { foldLog, violationsOf } from '../support/outside/checker.ts';
import { type History, startClients } from '../support/outside/clients.ts';
import { type Fault, harass } from '../support/outside/nemesis.ts';
import { PLANTS } from '../support/outside/plants.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { type Server, startServer, temporaryFolder } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';

const SEED = Number(process.env.TURNSTONE_TEST_SEED ?? Date.now() % 1_000_000);
const environment = { TURNSTONE_QUOTA_TOKENS_IN: '0', TURNSTONE_QUOTA_TOKENS_OUT: '0' };
const CLIENTS = 3;

const startWorld = async (seed: number, plant?: Plant) => {
  let server: Server = await startServer({ environment });
  const { dataDir, apiKey } = server;
  const url = (): string => server.url;
  const calls = makeCalls({ urls: () => [url()], apiKey, plant });
  const history: History = startClients({
    seed,
    calls,
    clients: CLIENTS,
    pauseMs: 10,
    isRepairing: () => false,
  });
  const operate = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await runCommand(args, {
      TURNSTONE_DATA_DIR: dataDir,
      TURNSTONE_LOG_LEVEL: 'silent',
    });
    return stdout + stderr;
  };
  return {
    dataDir,
    history,
    server: () => server,
    /** Ends it, does something with its folder, and starts it again. */
    restart: async (end: (server: Server) => Promise<unknown>, between: () => void = () => {}) => {
      await end(server);
      between();
      server = await startServer({ dataDir, environment });
    },
    moreWork: (writes: number) => {
      const enough = history.written() + writes;
      return until(`${writes} more writes`, () => history.written() >= enough);
    },
    violations: async (): Promise<string[]> => {
      await history.stop();
      await settled(url(), 60_000);
      const service = {
        calls,
        months: [new Date().toISOString().slice(0, 7)],
        verify: async () => (await operate('verify')).split('\n').filter(line => line.startsWith('  ')),
        replay: async () => void (await operate('replay', 'all')),
        foldLog: async () => {
          // The folder is one process's.
          await server.stop();
          const folded = await inFolder(dataDir, ({ log, keys }) => foldLog(log, keys));
          server = await startServer({ dataDir, environment });
          return folded;
        },
      };
      return violationsOf(history, service);
    },
    close: () => server.kill(),
  };
};

type World = Awaited<ReturnType<typeof startWorld>>;

const PROJECTIONS = /^projections/;
const faultsOf = (world: World): Record<string, Fault> => {
  const copy = temporaryFolder();
  return {
    'kill -9': async () => {
      const restarted = world.restart(server => server.kill());
      return () => restarted;
    },
    'a pause (SIGSTOP)': async () => {
      const { child } = world.server();
      child.kill('SIGSTOP');
      return async () => void child.kill('SIGCONT');
    },
    'an older copy of the projections': async () => {
      const folder = world.dataDir;
      const files = (of: string) => readdirSync(of).filter(name => PROJECTIONS.test(name));
      const restarted = world.restart(
        server => server.stop(),
        () => {
          const older = existsSync(join(copy, 'older')) ? files(join(copy, 'older')) : [];
          if (older.length > 0)
            for (const name of files(folder)) rmSync(join(folder, name), { recursive: true, force: true });
          for (const name of older)
            cpSync(join(copy, 'older', name), join(folder, name), { recursive: true });
          rmSync(join(copy, 'older'), { recursive: true, force: true });
          mkdirSync(join(copy, 'older'));
          for (const name of files(folder))
            cpSync(join(folder, name), join(copy, 'older', name), { recursive: true });
        },
      );
      return () => restarted;
    },
  };
};

const told = (seed: number, faults: readonly string[], { steps }: History): string =>
  [
    `TURNSTONE_TEST_SEED=${seed}`,
    ...faults,
    `the last of ${steps.length} steps: ${steps.slice(-20).join(', ')}`,
  ].join('\n');

describe('a data folder under a history of faults', () => {
  it('ends as its clients were told', async () => {
    const world = await startWorld(SEED);
    try {
      const faults: string[] = [];
      await harass({
        seed: SEED,
        faults: faultsOf(world),
        rounds: rounds(6, 60),
        lastingMs: 1_000,
        moreWork: () => world.moreWork(10),
        done: faults,
      });
      expect(await world.violations(), told(SEED, faults, world.history)).toEqual([]);
    } finally {
      await world.close();
    }
  });
});

const FOUND: Record<keyof typeof PLANTS, RegExp> = {
  'an acknowledged write is swallowed': /^lost: /m,
  'a write is sent twice under other keys': /^more: /m,
  // While clients run or at the end: words that are sent anew are shown by right.
  'an erasure is answered and not done': /^erased: |, which was erased$/m,
  'a retraction is answered and not done': /^hidden: /m,
  'an answer tells other tokens than are billed': /was told/,
  'a month is summed up wrongly': /^bill: /m,
};

describe('the checker', () => {
  for (const [name, plant] of Object.entries(PLANTS))
    it(`finds that ${name}`, async () => {
      const world = await startWorld(7, plant);
      try {
        await world.moreWork(60);
        expect((await world.violations()).join('\n')).toMatch(FOUND[name as keyof typeof PLANTS]);
      } finally {
        await world.close();
      }
    });

  it('finds that the projections differ from the log, and that a replay answers otherwise', async () => {
    const world = await startWorld(7);
    try {
      await world.moreWork(30);
      await world.history.stop();
      await settled(world.server().url);
      await world.restart(
        server => server.stop(),
        () => changeProjections(world.dataDir, 'DELETE FROM fragments WHERE no % 3 = 0'),
      );
      const found = (await world.violations()).join('\n');
      expect(found).toMatch(/^verify: /m);
      expect(found).toMatch(/^replay: /m);
    } finally {
      await world.close();
    }
  });
});
