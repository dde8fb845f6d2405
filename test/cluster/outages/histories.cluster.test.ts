/**
 * Random clients over HTTP against two APIs whose clocks are apart, a projector and an enricher, while a seed
 * chooses faults: kill -9 and SIGSTOP of processes and engines, cut connections, an engine with an older copy
 * of its data. At the end everything is as the clients were told (test/support/outside/checker.ts).
 * `TURNSTONE_TEST_SEED` repeats the faults and the clients' choices.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasReached, positionsIn } from '../../../core/log/positions.ts';
import { PROJECTED_TOPICS } from '../../../projections/all.ts';
import { PROJECTOR_GROUP } from '../../../services/workers/projector/group.ts';
import { withLogAndKeys } from '../../support/engines/cluster-log.ts';
import { canStartEngines, type OwnEngines, startEngines } from '../../support/engines/own-engines.ts';
import { type TcpProxy, throughProxy } from '../../support/engines/tcp-proxy.ts';
import { send, settled } from '../../support/http/client.ts';
import { isLong, rounds } from '../../support/long.ts';
import { makeCalls } from '../../support/outside/calls.ts';
import { foldLog, violationsOf } from '../../support/outside/checker.ts';
import { startClients } from '../../support/outside/clients.ts';
import { type Fault, harass } from '../../support/outside/nemesis.ts';
import { type Cluster, makeCluster, type Role } from '../../support/processes/cluster.ts';
import { runCommand } from '../../support/processes/command-line.ts';
import type { Server } from '../../support/processes/server.ts';
import { until, untilDefined } from '../../support/wait.ts';
import type { Draw } from '../../support/worlds/history.ts';

const PORT = 19_900;
const SEED = Number(process.env.TURNSTONE_TEST_SEED ?? Date.now() % 1_000_000);
const CLIENTS = 4;
/** Each kind of fault once. */
const ROUNDS = 8;
/** By how much the clock of the second API is ahead. */
const AHEAD_MS = 7 * 60_000;
const PATIENCE_MS = 300_000;
/** How long a store that lacks events may take to be noticed: every process looks each 15 s. */
const NOTICED_MS = 25_000;

const PROXIED = {
  redis: 'TURNSTONE_REDIS_URL',
  elasticsearch: 'TURNSTONE_ELASTICSEARCH_URL',
  clickhouse: 'TURNSTONE_CLICKHOUSE_URL',
} as const;
type Proxied = keyof typeof PROXIED;
const STORES = Object.keys(PROXIED) as Proxied[];
const ENGINES = [...STORES, 'kafka'] as const;

interface Process {
  role: Role;
  server: Server;
  /** The variables that it is started with. */
  environment: () => Record<string, string>;
}

const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7);
const one = <T>(draw: Draw, of: readonly T[]): T => of[draw(of.length)]!;

if (!canStartEngines && process.env.CI)
  throw new Error('TURNSTONE_TEST_ENGINES must name the engines script');

describe.skipIf(!canStartEngines)('the cluster under a history of faults', { timeout: 3_600_000 }, () => {
  let engines: OwnEngines;
  let cluster: Cluster;
  const proxies = {} as Record<Proxied, TcpProxy>;
  const processes: Process[] = [];

  beforeAll(async () => {
    engines = await startEngines(PORT, 1);
    const environment = { ...engines.environment };
    for (const name of STORES) {
      const { url, proxy } = await throughProxy(environment[PROXIED[name]]!);
      environment[PROXIED[name]] = url;
      proxies[name] = proxy;
    }
    // Where a machine has much to do, engines are late at first; what a failed attempt made is its own.
    cluster = await untilDefined('a cluster is made', () => makeCluster(environment), 300_000);
    const start = async (role: Role, own: Process['environment'] = () => ({})): Promise<void> => {
      processes.push({ role, environment: own, server: await cluster.start(role, { environment: own() }) });
    };
    await start('api');
    await start('api', () => ({ TURNSTONE_CLOCK: new Date(Date.now() + AHEAD_MS).toISOString() }));
    await start('projector');
    await start('enricher');
  }, 600_000);
  afterAll(async () => {
    await cluster?.close();
    await Promise.all(Object.values(proxies).map(proxy => proxy.close()));
    await engines?.close();
  }, 120_000);

  const urls = (): string[] => processes.filter(({ role }) => role === 'api').map(({ server }) => server.url);
  /** All that is in the log by now; the clients go on, so there is always more. */
  const projected = (): Promise<void> =>
    withLogAndKeys(cluster, async ({ log }) => {
      const ends = positionsIn(await log.ends(), PROJECTED_TOPICS);
      await until(
        'the projectors have read what was in the log',
        async () => hasReached(await log.committed(PROJECTOR_GROUP), ends),
        PATIENCE_MS,
      );
    });
  const isWhole = async (): Promise<boolean> => {
    const { body } = await send<{ degraded: string[] }>(`${urls()[0]}/readyz`, 'GET');
    return !body.degraded.includes('stores');
  };

  it('ends as its clients were told', async () => {
    const repairs = { running: 0, endedAt: 0 };
    const calls = makeCalls({ urls, apiKey: cluster.apiKey });
    const began = Date.now();
    const history = startClients({
      seed: SEED,
      calls,
      clients: CLIENTS,
      pauseMs: 60,
      isRepairing: since => repairs.running > 0 || repairs.endedAt >= since,
    });
    const moreWork = (): Promise<void> => {
      const enough = history.written() + 12;
      return until('the clients get on', () => history.written() >= enough, PATIENCE_MS);
    };

    const kept = new Set<Proxied>();
    /** Its data are again what they were when it was kept. */
    const older = async (engine: Proxied): Promise<() => Promise<void>> => {
      if (!kept.has(engine)) {
        await engines.keep(engine);
        kept.add(engine);
        return async () => {};
      }
      const isStore = engine !== 'redis';
      if (isStore) repairs.running++;
      await engines.bringBack(engine);
      return async () => {
        if (!isStore) return;
        await until(`what ${engine} lacks is noticed`, async () => !(await isWhole()), NOTICED_MS).catch(
          () => {},
        );
        await until(`${engine} is whole`, isWhole, PATIENCE_MS);
        await projected();
        repairs.running--;
        repairs.endedAt = performance.now();
      };
    };
    const faults: Record<string, Fault> = {
      'kill -9 of a process': async draw => {
        const process = one(draw, processes);
        await process.server.kill();
        return async () => {
          process.server = await cluster.start(process.role, { environment: process.environment() });
        };
      },
      'a process stands still': async draw => {
        const { child } = one(draw, processes).server;
        child.kill('SIGSTOP');
        return async () => void child.kill('SIGCONT');
      },
      'an engine stands still': async draw => {
        const engine = one(draw, ENGINES);
        await engines.pause(engine);
        return () => engines.resume(engine);
      },
      'kill -9 of an engine': async draw => {
        const engine = one(draw, ENGINES);
        await engines.kill(engine);
        return () => engines.start(engine);
      },
      'cut connections': async draw => {
        const proxy = proxies[one(draw, STORES)];
        proxy.cut();
        return async () => proxy.heal();
      },
      'an older Elasticsearch': () => older('elasticsearch'),
      'an older ClickHouse': () => older('clickhouse'),
      'an older Redis': () => older('redis'),
    };
    const done: string[] = [];
    const about = (): string =>
      [
        `TURNSTONE_TEST_SEED=${SEED}`,
        ...done,
        `the last of ${history.steps.length} steps: ${history.steps.slice(-30).join(', ')}`,
      ].join('\n');
    try {
      // A copy to come back to, of each.
      for (const engine of STORES) await older(engine);
      await moreWork();
      await harass({ seed: SEED, faults, rounds: rounds(ROUNDS, 80), lastingMs: 4_000, moreWork, done });
      await history.stop();
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${about()}`, { cause: error });
    }
    await settled(urls()[0]!, PATIENCE_MS);

    const operate = async (...args: string[]): Promise<string> => {
      const { stdout, stderr } = await runCommand(args, cluster.environment);
      return stdout + stderr;
    };
    const violations = await violationsOf(history, {
      calls,
      months: [...new Set([monthOf(began), monthOf(Date.now() + AHEAD_MS)])],
      foldLog: () => withLogAndKeys(cluster, ({ log, keys }) => foldLog(log, keys)),
      verify: async () => (await operate('verify')).split('\n').filter(line => line.startsWith('  ')),
      replay: async () => void (await operate('replay', isLong ? 'all' : 'recall')),
    });
    const { readBack, steps } = history;
    const refused = calls.attempts.filter(({ outcome }) => outcome !== 'answered').length;
    console.log(JSON.stringify({ seed: SEED, steps: steps.length, refused, readBack, faults: done }));
    expect(violations, about()).toEqual([]);
  });
});
