/**
 * Under load from two API processes: processes are killed, engines go away and come back, partitions change
 * hands. After each: every acknowledged turn is in the log and recallable (a sample, where there are many:
 * cluster-check.ts), none twice in an answer, the bill is the fold of the log, and no call was refused for
 * longer than the outage and ten seconds. The numbers are printed.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canStartEngines, type OwnEngines, startEngines } from '../../support/engines/own-engines.ts';
import { connect, metric, send, settled } from '../../support/http/client.ts';
import { isLong } from '../../support/long.ts';
import { type Cluster, makeCluster, type Role } from '../../support/processes/cluster.ts';
import type { Server } from '../../support/processes/server.ts';
import { pause, until } from '../../support/wait.ts';
import { check } from '../../support/worlds/cluster-check.ts';
import { startLoad } from '../../support/worlds/cluster-load.ts';
import { newOrganization } from '../../support/worlds/newcomers.ts';

const PORT = 19_400;
const WORKERS = 6;
/** Writes that are answered before the fault, and as many after it is over. */
const WRITES = 40;
/** For those writes, and for what is recovering to answer them. */
const PATIENCE_MS = 60_000;
/** An engine is missed when so many attempts were refused, or so many events wait for the projector. */
const MISSED_CALLS = 60;
const MISSED_EVENTS = 200;
/** Longer than what any client of an engine waits for it. */
const LONG_OUTAGE_MS = 30_000;

interface Running {
  moreWrites(): Promise<void>;
  /** Kills the engine, and starts it when calls were refused or the projector has fallen behind. */
  lose(engine: 'elasticsearch' | 'redis' | 'clickhouse'): Promise<void>;
}

if (!canStartEngines && process.env.CI)
  throw new Error('TURNSTONE_TEST_ENGINES must name the engines script');

describe.skipIf(!canStartEngines)('the cluster under faults', { timeout: 400_000 }, () => {
  let engines: OwnEngines;
  let cluster: Cluster;
  /** Two APIs, a projector and an enricher, which one fault after another leaves running. */
  const servers: Record<Role, Server[]> = { all: [], api: [], projector: [], enricher: [] };
  beforeAll(async () => {
    engines = await startEngines(PORT, 3);
    cluster = await makeCluster(engines.environment, {
      TURNSTONE_SIGNUP: 'open',
      TURNSTONE_SIGNUPS_PER_MINUTE: '0',
    });
    const roles = ['api', 'api', 'projector', 'enricher'] as const;
    const started = await Promise.all(roles.map(role => cluster.start(role)));
    for (const [i, role] of roles.entries()) servers[role].push(started[i]!);
  }, 400_000);
  afterAll(async () => {
    await cluster?.close();
    await engines?.close();
  }, 120_000);

  const replace = async (role: Role): Promise<void> => {
    await servers[role].shift()!.kill();
    servers[role].push(await cluster.start(role));
  };

  /** Load of an organization of its own; `fault`, which resolves when all is back; then the check. */
  const survive = async (name: string, fault: (running: Running) => Promise<void>): Promise<void> => {
    const [first] = servers.api;
    const { org, apiKey, token } = await newOrganization(first!.url);
    const load = startLoad({ urls: () => servers.api.map(({ url }) => url), token, workers: WORKERS });
    try {
      const moreWrites = (): Promise<void> => {
        const enough = load.written() + WRITES;
        return until(`${WRITES} more writes`, () => load.written() >= enough, PATIENCE_MS);
      };
      const lose: Running['lose'] = async engine => {
        await engines.kill(engine);
        const enough = load.refused() + MISSED_CALLS;
        const isMissed = async () =>
          load.refused() >= enough ||
          (await metric(first!.url, 'turnstone_projector_lag_events')) >= MISSED_EVENTS;
        await until(`${engine} is missed`, isMissed, PATIENCE_MS);
        if (isLong) await pause(LONG_OUTAGE_MS);
        await engines.start(engine);
      };
      await moreWrites();
      const outageMs = await took(() => fault({ moreWrites, lose }));
      await moreWrites();
      const kept = await load.stop();
      const { url } = servers.api.at(-1)!;
      await settled(url, 120_000);
      const verdict = await check(cluster, await connect({ url, apiKey }), kept, outageMs, org);
      console.log(JSON.stringify({ fault: name, outageMs: Math.round(outageMs), ...verdict }));
      expect(verdict.writes).toBeGreaterThanOrEqual(2 * WRITES);
    } finally {
      void load.stop();
    }
  };

  const took = async (work: () => Promise<unknown>): Promise<number> => {
    const started = performance.now();
    await work();
    return performance.now() - started;
  };

  for (const role of ['api', 'projector', 'enricher'] as const) {
    it(`survives kill -9 of the ${role}`, () => survive(`kill ${role}`, () => replace(role)));
  }

  it('survives a graceful restart of each broker', () =>
    survive('restart brokers', async () => {
      for (const node of [1, 2, 3]) await engines.restart('kafka', node);
    }));

  it('survives kill -9 of a broker', () =>
    survive('kill broker', async ({ moreWrites }) => {
      await engines.kill('kafka', 2);
      await moreWrites();
      await engines.start('kafka', 2);
    }));

  for (const engine of ['elasticsearch', 'redis', 'clickhouse'] as const) {
    it(`survives ${engine} being down`, () => survive(`${engine} down`, ({ lose }) => lose(engine)));
  }

  it('survives Redis being wiped', () =>
    survive('Redis wiped', async () => {
      await engines.wipe('redis');
      await engines.start('redis');
    }));

  it('survives partitions that change hands in mid-batch', () =>
    survive('rebalance', async ({ moreWrites }) => {
      for (let round = 0; round < 3; round++) {
        servers.projector.push(await cluster.start('projector'));
        await moreWrites();
        await servers.projector.shift()!.stop();
      }
    }));

  it('bills once what two instances are sent at the same moment, and what a client did not wait for', async () => {
    const apis = servers.api;
    expect(apis).toHaveLength(2);
    const { apiKey, token } = await newOrganization(apis[0]!.url);
    const bodyOf = (n: number) => ({
      scope: { org_id: 'acme', user_id: 'ada', session_id: `s${n % 3}` },
      turns: [{ role: 'user', text: `the ${n}th violin was sold`, timestamp: '2026-05-01T10:00:00Z' }],
    });
    const post = (api: Server, n: number) =>
      send<{ usage: { tokens_in: number } }>(`${api.url}/ingestion/memory`, 'POST', bodyOf(n), token);
    let told = 0;
    for (let n = 0; n < 40; n++) {
      const answers = await Promise.all(apis.map(api => post(api, n)));
      expect(answers.map(({ status }) => status)).toEqual([202, 202]);
      const billed = answers.filter(({ body }) => body.usage.tokens_in > 0);
      expect(billed).toHaveLength(1);
      told += billed[0]!.body.usage.tokens_in;
    }
    // Cut after sending: whatever became of it, the retry settles it, and the bill has it once.
    for (let n = 40; n < 60; n++) {
      const cut = new AbortController();
      const sent = fetch(`${apis[0]!.url}/ingestion/memory`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(bodyOf(n)),
        signal: cut.signal,
      }).catch(() => undefined);
      await pause(n % 10);
      cut.abort();
      await sent;
      expect((await post(apis[1]!, n)).status).toBe(202);
    }
    await settled(apis[0]!.url, 120_000);
    const client = await connect({ url: apis[1]!.url, apiKey });
    const before = await client.today();
    expect(before.tokens_in).toBeGreaterThanOrEqual(told);
    for (let n = 0; n < 60; n++) expect((await post(apis[n % 2]!, n)).body.usage.tokens_in).toBe(0);
    expect(await client.today()).toEqual(before);
    const { hits } = await client.recall({ q: 'which violin was sold?', top_k: 30, kinds: ['turn'] });
    expect(new Set(hits.turns.map(({ id }) => id)).size).toBe(hits.turns.length);
  });
});
