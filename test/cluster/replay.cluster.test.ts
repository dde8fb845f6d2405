/**
 * Replays on real engines, from a process of their own, under load from outside: no call fails, no recall
 * misses what was acknowledged (cluster-load.ts looks), the bill is the fold of the log (cluster-check.ts).
 */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { readConfig } from '../../core/config.ts';
import { changed } from '../../core/generations.ts';
import type { GenerationRegistry } from '../../core/ports/projection/generation-registry.ts';
import { makeLog } from '../../core/watch/logger.ts';
import {
  connectElasticsearch,
  type Elasticsearch,
} from '../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import { recallAlias, recallIndexOf } from '../../infra/cluster/elasticsearch/index/index.ts';
import { openRegistry } from '../../infra/cluster/elasticsearch/index/registry.ts';
import { keysOfOrganization } from '../../infra/cluster/redis/key-names.ts';
import { connectRedis } from '../../infra/cluster/redis/redis-client.ts';
import { type Generational, PROJECTIONS } from '../../projections/all.ts';
import type { ClusterConfig } from '../../schemas/config.ts';
import type { UsageTotals } from '../../schemas/http/usage.ts';
import { openOffline } from '../../services/compose/offline.ts';
import { dropNamespace } from '../support/engines/drop-namespace.ts';
import { ENGINES, URL_VARIABLES } from '../support/engines/engine-urls.ts';
import { describeOnEngines } from '../support/engines/engines.ts';
import { accessToken, type Client, metric, send, settled } from '../support/http/client.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { ask, type Message } from '../support/processes/operator.ts';
import type { Server } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';
import { check } from '../support/worlds/cluster-check.ts';
import { type Load, startLoad } from '../support/worlds/cluster-load.ts';
import { listTurns, startPasses } from '../support/worlds/list-passes.ts';

const { urls } = inject('engines');

const kinds = (messages: readonly Message[]): unknown[] => messages.map(({ kind }) => kind);

describeOnEngines('a replay', () => {
  let cluster: Cluster;
  let config: ClusterConfig;
  let elasticsearch: Elasticsearch;
  let registry: GenerationRegistry;
  let api: Server;
  let projector: Server;
  let enricher: Server;
  let client: Client;
  let load: Load;
  let lists: ReturnType<typeof startPasses>;
  let operator: Awaited<ReturnType<typeof openOffline>>;
  beforeAll(async () => {
    cluster = await makeCluster(Object.fromEntries(ENGINES.map(name => [URL_VARIABLES[name], urls[name]!])));
    const read = readConfig(cluster.environment);
    if (!read.ok) throw new Error(read.faults.join('\n'));
    config = read.config.cluster!;
    elasticsearch = connectElasticsearch(config);
    registry = openRegistry(elasticsearch, config);
    operator = await openOffline(read.config, makeLog('silent'));
    api = await cluster.start('api');
    projector = await cluster.start('projector');
    enricher = await cluster.start('enricher');
    client = await cluster.client(api);
    const token = await accessToken(api.url, cluster.apiKey);
    load = startLoad({ urls: () => [api.url], token, workers: 2, pauseMs: 300 });
    lists = startPasses(client, 50);
    await until('there is something to replay', async () => load.written() > 50, 60_000);
  });
  afterAll(async () => {
    console.log(projector.stderr().slice(-3000), api.stderr().slice(-1000));
    // Gracefully: a group that lost its members can't be removed for a while.
    await Promise.all([api, projector, enricher].map(server => server?.stop()));
    await operator?.close();
    await cluster?.close();
    await elasticsearch?.close();
    if (config) await dropNamespace(config);
  });

  /** All that an operator's call says. Those that are killed have a process of their own. */
  const call = async (name: string, args: object): Promise<Message[]> => {
    const messages: Message[] = [];
    try {
      for await (const message of operator.call(name as 'replay', args as { projection: string }))
        messages.push(message as Message);
    } catch (error) {
      messages.push({ kind: 'failed', message: (error as Error).message });
    }
    return messages;
  };
  const statesOf = async (projection: Generational): Promise<string> =>
    (await registry.read(projection))!.generations
      .map(({ number, state }) => `${number} ${state}`)
      .sort()
      .join(', ');
  const readyOf = async (server: Server) => {
    type Ready = { engines: Record<string, { ok: boolean; detail: string }> };
    return (await send<Ready>(`${server.url}/readyz`, 'GET')).body.engines;
  };
  const served = async (): Promise<string[]> =>
    Object.keys(await elasticsearch.ask<object>('GET', `/_alias/${recallAlias(config)}`));
  /** Documents of a generation, by id. */
  const documentsOf = async (generation: number): Promise<Map<string, object>> => {
    const index = recallIndexOf(config, generation);
    await elasticsearch.ask('POST', `/${index}/_refresh`);
    const { hits } = await elasticsearch.ask<{ hits: { hits: { _id: string; _source: object }[] } }>(
      'POST',
      `/${index}/_search`,
      { body: { size: 10_000 } },
    );
    return new Map(hits.hits.map(({ _id, _source }) => [_id, _source]));
  };

  /** Resolves when so many turns more are written, so that whatever runs meets some. */
  const untilWritten = (more: number): Promise<void> => {
    const before = load.written();
    return until('more is written', async () => load.written() >= before + more);
  };

  it('says what it would do, and does nothing', async () => {
    const [plan, ...rest] = await call('replay', { projection: 'recall', dryRun: true });
    expect(rest).toEqual([]);
    expect(plan).toMatchObject({ kind: 'plan', dryRun: true, resumed: false, generation: { number: 2 } });
    expect(plan!.events).toBeGreaterThan(50);
    expect(await statesOf('recall')).toBe('1 serving');
  });

  it('of recall resumes after kill -9, refused beside another, and promoted under load', async () => {
    const first = ask(cluster, 'replay', { projection: 'recall', throttle: 50 });
    await first.until(({ kind }) => kind === 'progress');
    await until('it has come somewhere', async () => {
      const [, building] = (await registry.read('recall'))!.generations;
      return (building?.events ?? 0) > 50;
    });
    const other = await call('replay', { projection: 'recall' });
    expect(other).toMatchObject([
      { kind: 'failed', message: expect.stringContaining('A replay of recall is running already') },
    ]);
    await first.kill();
    expect(await served()).toEqual([recallIndexOf(config, 1)]);

    // Killed again when the projectors write to it too.
    const second = ask(cluster, 'replay', { projection: 'recall', throttle: 500 });
    expect(await second.until(({ kind }) => kind === 'plan')).toMatchObject({ resumed: true });
    await until('it is joined', async () => (await statesOf('recall')) === '1 serving, 2 joined', 60_000);
    await second.kill();
    await untilWritten(5);

    const third = await call('replay', { projection: 'recall' });
    expect(kinds(third)).toContain('verified');
    expect(third.find(({ kind }) => kind === 'verified')).toMatchObject({ differences: 0 });
    expect(third.at(-1)).toMatchObject({ kind: 'promoted', generation: 2, standby: 1 });
    expect(await served()).toEqual([recallIndexOf(config, 2)]);
    expect(await statesOf('recall')).toBe('1 standby, 2 serving');
  });

  it('of usage moves no figure', async () => {
    const month = new Date().toISOString().slice(0, 7);
    const told: number[] = [];
    let over = false;
    const reading = (async () => {
      while (!over) {
        told.push((await client.month(month)).tokens_in);
        await wait(50);
      }
    })();
    const said = await call('replay', { projection: 'usage' });
    over = true;
    await reading;
    expect(said.at(-1)).toMatchObject({ kind: 'promoted', generation: 2, standby: 1 });
    expect(said.find(({ kind }) => kind === 'verified')).toMatchObject({ differences: 0 });
    // It is written to all the while: it grows, and never falls.
    expect(told.length).toBeGreaterThan(5);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(await statesOf('usage')).toBe('1 standby, 2 serving');
  });

  it('can be rolled back, while both generations are written to', async () => {
    await untilWritten(3);
    const back = await call('rollback', { projection: 'recall' });
    expect(back).toEqual([{ kind: 'rolled back', projection: 'recall', serving: 1, standby: 2 }]);
    expect(await served()).toEqual([recallIndexOf(config, 1)]);
    await untilWritten(3);
    expect(await call('rollback', { projection: 'usage' })).toEqual([
      { kind: 'rolled back', projection: 'usage', serving: 1, standby: 2 },
    ]);
    await untilWritten(3);
    expect((await call('rollback', { projection: 'recall' })).at(-1)).toMatchObject({ serving: 2 });
  });

  it('leaves a standby that refuses writes behind, with an alarm, and holds no batch', async () => {
    const before = load.written();
    await elasticsearch.ask('PUT', `/${recallIndexOf(config, 1)}/_settings`, {
      body: { 'index.blocks.write': true },
    });
    await until('it is dropped', async () => (await statesOf('recall')) === '1 dropped, 2 serving', 30_000);
    await until('writes go on', async () => load.written() > before + 20);
    expect((await readyOf(api)).generations).toMatchObject({
      ok: true,
      detail: /generation 1 is no longer written to/,
    });
    expect(await metric(api.url, 'turnstone_generations_dropped')).toBe(1);
    expect(projector.stderr()).toMatch(/a generation failed and is no longer written to/);
    expect(await call('retire', { projection: 'recall' })).toEqual([
      { kind: 'retired', projection: 'recall', generation: 1 },
    ]);
    expect(await statesOf('recall')).toBe('2 serving');
  });

  it('is asked for by a projector of another version, which writes nothing meanwhile', async () => {
    await registry.change('recall', registered => changed(registered, 2, one => ({ ...one, version: '1' })));
    await until(
      'the projector says so',
      async () => /run `turnstone replay recall`/.test((await readyOf(projector)).projector!.detail),
      30_000,
    );
    // The API reads the registry at its own times.
    await until('the API says so', async () =>
      (await readyOf(api)).generations!.detail.includes(
        `is of version 1, this release writes ${PROJECTIONS.recall.version}`,
      ),
    );
    const before = (await documentsOf(2)).size;
    const written = load.written();
    await until('calls are answered', async () => load.written() > written + 10);
    expect((await documentsOf(2)).size).toBe(before);
    expect((await call('replay', { projection: 'recall' })).at(-1)).toMatchObject({
      kind: 'promoted',
      generation: 3,
      standby: 2,
    });
    await until(
      'it goes on by itself',
      async () => (await readyOf(projector)).projector!.detail === 'runs',
      30_000,
    );
    // It was frozen: nobody may go back to it without the release that wrote it.
    expect((await call('rollback', { projection: 'recall' })).at(-1)).toMatchObject({
      message: /version 1/,
    });
  });

  it('of accounts and admission puts right what differs, under load', async () => {
    const redis = connectRedis(config);
    await new Promise(resolve => redis.once('ready', resolve));
    const org = keysOfOrganization(config.namespace, 'acme');
    const document = `${org}account:document:organization:acme`;
    const right = await redis.get(document);
    await redis.set(document, JSON.stringify({ ...JSON.parse(right!), name: 'Mallory' }));
    await redis.zadd(`${org}account:ids:api_key`, '+inf', 'planted');
    await redis.set(`${org}account:document:api_key:planted`, '{}');
    expect(await call('replay', { projection: 'accounts' })).toMatchObject([
      { kind: 'repaired', replaced: 1, removed: 1 },
    ]);
    expect(await redis.get(document)).toBe(right);
    expect(await redis.exists(`${org}account:document:api_key:planted`)).toBe(0);
    expect(await call('replay', { projection: 'accounts' })).toMatchObject([
      { kind: 'repaired', replaced: 0, removed: 0 },
    ]);

    const today = Math.floor(Date.now() / 86_400_000);
    expect(await call('replay', { projection: 'admission' })).toMatchObject([
      { kind: 'repaired', replaced: 0, removed: 0 },
    ]);
    await redis.hincrby(`${org}d:${today}`, 'in', 1_000_000);
    await redis.hincrby(`${org}d:${today}`, 'out', -77);
    await redis.zadd(`${org}o:turns/0`, 1_000_000, 'turn ada trn_planted');
    expect(await call('replay', { projection: 'admission' })).toMatchObject([
      { kind: 'repaired', removed: 1 },
    ]);
    expect(await call('replay', { projection: 'admission' })).toMatchObject([
      { kind: 'repaired', replaced: 0, removed: 0 },
    ]);
    redis.disconnect();
  });

  it('has cost no list a turn or a page', async () => {
    const { passes, faults } = await lists.stop();
    expect(faults).toEqual([]);
    expect(passes).toBeGreaterThan(20);
    const { writes } = await load.stop();
    await settled(api.url, 60_000);
    const turns = await listTurns(client, 50);
    const written = writes.flatMap(({ answer }) => answer!.active_fragment_ids);
    expect(turns.map(({ id }) => id).sort()).toEqual([...new Set(written)].sort());
    // The counts are those of the lists.
    type Users = { users: { user_id: string; sessions: number; turns: number }[] };
    const { users } = (await client.request<Users>('GET', '/memory/users')).body;
    const perUser = Map.groupBy(turns, ({ user_id }) => user_id);
    expect(users.map(({ user_id, sessions, turns }) => ({ user_id, sessions, turns }))).toEqual(
      [...perUser].map(([user_id, own]) => ({
        user_id,
        sessions: new Set(own.map(({ session_id }) => session_id)).size,
        turns: own.length,
      })),
    );
    type Daily = { days: UsageTotals[] };
    const month = new Date().toISOString().slice(0, 7);
    const { days } = (await client.request<Daily>('GET', `/usage/daily?month=${month}`)).body;
    const { tokens_in, tokens_out } = await client.month(month);
    expect(days.reduce((sum, day) => sum + day.tokens_in, 0)).toBe(tokens_in);
    expect(days.reduce((sum, day) => sum + day.tokens_out, 0)).toBe(tokens_out);
  });

  it('has cost no call, no turn and no token', async () => {
    const kept = await load.stop();
    await settled(api.url, 60_000);
    const verdict = await check(cluster, client, kept, 0);
    expect(verdict).toMatchObject({ refused: 0, broken: 0, untold: { tokens_in: 0, tokens_out: 0 } });
    // A second replay of the same log makes the same, document for document.
    expect((await call('replay', { projection: 'recall' })).at(-1)).toMatchObject({
      generation: 4,
    });
    expect(await documentsOf(4)).toEqual(await documentsOf(3));
    console.log(JSON.stringify(verdict));
  });
});
