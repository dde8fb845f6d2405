import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  connectElasticsearch,
  type Elasticsearch,
} from '../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import { keysOf } from '../../infra/cluster/redis/key-names.ts';
import { connectRedis } from '../../infra/cluster/redis/redis-client.ts';
import { PROJECTED_TOPICS } from '../../projections/all.ts';
import type { ErasureAnswer } from '../../schemas/http/erasure.ts';
import { PROJECTOR_GROUP } from '../../services/workers/projector/group.ts';
import { withLogAndKeys } from '../support/engines/cluster-log.ts';
import { dropNamespace } from '../support/engines/drop-namespace.ts';
import { clusterConfig, describeOnEngines } from '../support/engines/engines.ts';
import { said, wordsOf } from '../support/files/erased-words.ts';
import { wordsIn } from '../support/files/find-words.ts';
import { type Client, expectStatus, metric, settled } from '../support/http/client.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { spawnCommand } from '../support/processes/command-line.ts';
import type { Server } from '../support/processes/server.ts';
import { pause, until, untilDefined } from '../support/wait.ts';

describeOnEngines('erasure in the mode cluster', () => {
  let cluster: Cluster;
  let config: ReturnType<typeof clusterConfig>;
  let elasticsearch: Elasticsearch;
  let redis: ReturnType<typeof connectRedis>;
  beforeAll(async () => {
    const found = clusterConfig();
    cluster = await makeCluster({
      TURNSTONE_KAFKA_BROKERS: found.kafkaBrokers.join(','),
      TURNSTONE_ELASTICSEARCH_URL: found.elasticsearchUrl,
      TURNSTONE_CLICKHOUSE_URL: found.clickhouseUrl,
      TURNSTONE_REDIS_URL: found.redisUrl,
    });
    config = { ...found, namespace: cluster.namespace };
    elasticsearch = connectElasticsearch(config);
    redis = connectRedis(config);
  });
  afterAll(async () => {
    await cluster?.close();
    await elasticsearch?.close();
    redis?.disconnect();
    if (cluster) await dropNamespace(config);
  });

  const documents = async (): Promise<string[]> => {
    const index = `/${cluster.namespace}-recall-*`;
    await elasticsearch.ask('POST', `${index}/_refresh`);
    type Page = { _scroll_id: string; hits: { hits: unknown[] } };
    let page = await elasticsearch.ask<Page>('POST', `${index}/_search`, {
      query: { scroll: '1m' },
      body: { size: 5_000, query: { match_all: {} }, stored_fields: ['*'], _source: true },
    });
    const kept: string[] = [];
    while (page.hits.hits.length > 0) {
      kept.push(JSON.stringify(page.hits.hits));
      const body = { scroll: '1m', scroll_id: page._scroll_id };
      page = await elasticsearch.ask<Page>('POST', '/_search/scroll', { body });
    }
    await elasticsearch.ask('DELETE', '/_search/scroll', { body: { scroll_id: page._scroll_id } });
    return kept;
  };

  /** Returns those of `words` that are in any document's source. */
  const wordsInIndex = async (words: readonly string[]): Promise<string[]> =>
    wordsIn(Buffer.from((await documents()).join('\n')), words);

  /** Returns those of `words` that are in any document's source or any key of Redis. */
  const wordsInEngines = async (words: readonly string[]): Promise<string[]> => {
    const kept = await documents();
    for await (const keys of redis.scanStream({ match: `${keysOf(cluster.namespace)}*` })) {
      for (const key of keys as string[]) kept.push(key, String((await redis.dump(key)) ?? ''));
    }
    return wordsIn(Buffer.from(kept.join('\n')), words);
  };

  const told = async (client: Client, words: readonly string[]): Promise<string[]> => {
    let answers = '';
    for (const mode of ['active', 'deep'] as const) {
      for (const scope of [{}, { user_id: 'ada' }]) {
        for (const q of [words.join(' '), 'Who moved to Tallinn and sold a xylophone?'])
          answers += JSON.stringify(
            await client.recall({ q, scope, mode, top_k: 30, include_timeline: true }),
          );
      }
    }
    return wordsIn(Buffer.from(answers), words);
  };

  const erase = async (client: Client, scope: object): Promise<ErasureAnswer> =>
    expectStatus(
      await client.request<ErasureAnswer>('DELETE', '/memory', { scope: { org_id: 'any', ...scope } }),
      200,
    );

  it('takes the words of a session and of a user out of every engine, for every process', async () => {
    const roles = ['api', 'api', 'projector', 'enricher'] as const;
    const servers: Server[] = [];
    for (const role of roles) servers.push(await cluster.start(role));
    const [one, two] = (await Promise.all(servers.slice(0, 2).map(cluster.client))) as [Client, Client];
    for (const user of ['ada', 'grace'])
      for (const session of ['monday', 'friday'])
        for (let n = 0; n < 10; n++) await (n % 2 ? one : two).ingest(said(user, session, n));
    const words = wordsOf('ada', 'monday');
    // Before the index shows them, Redis has them; settled, Elasticsearch.
    await settled(servers[0]!.url, 60_000);
    expect(await wordsInEngines(words)).toEqual(words);
    const { tokens_in: billed } = await one.today();

    const answer = await erase(one, { user_id: 'ada', session_id: 'monday' });
    expect(answer.erased).toMatchObject({ turns: 10, sessions: 1 });
    expect(answer.erased.observations).toBeGreaterThanOrEqual(10);
    expect(await told(two, words)).toEqual([]);
    expect(await wordsInEngines(words)).toEqual([]);
    expect(await wordsInEngines(wordsOf('ada', 'friday'))).toHaveLength(4);
    expect((await two.today()).tokens_in).toBeGreaterThanOrEqual(billed);

    // The other process knows no key of before.
    const again = await two.ingest(said('ada', 'monday', 3));
    expect(again.usage.tokens_in).toBeGreaterThan(0);
    await settled(servers[0]!.url, 60_000);
    const found = await one.recall({ q: 'xylophoneadamonday3', scope: { user_id: 'ada' } });
    expect(found.hits.turns[0]).toMatchObject({ id: again.active_fragment_ids[0] });

    const [first, second] = await Promise.all([
      erase(one, { user_id: 'grace' }),
      erase(two, { user_id: 'grace' }),
    ]);
    expect(Math.max(first.erased.turns, second.erased.turns)).toBe(20);
    const gone = ['monday', 'friday'].flatMap(session => wordsOf('grace', session));
    expect(await told(two, gone)).toEqual([]);
    expect(await wordsInEngines(gone)).toEqual([]);
    expect(await told(two, wordsOf('ada', 'friday'))).not.toEqual([]);
    // A process that leaves its group is forgotten with it.
    await Promise.all(servers.map(server => server.stop()));
  });

  it('is answered while partitions of others stand still, and leaves nothing where its own did', async () => {
    const [api, projector] = [await cluster.start('api'), await cluster.start('projector')];
    const client = await cluster.client(api);
    await withLogAndKeys(cluster, async ({ log }) => {
      let goOn = async (): Promise<void> => {};
      /** A member of the group gets its part of the partitions, and is never done with its first batch. */
      const join = async (): Promise<void> => {
        const released = Promise.withResolvers<never>();
        released.promise.catch(() => {});
        const member = await log.consume({
          group: PROJECTOR_GROUP,
          topics: PROJECTED_TOPICS,
          onTrouble: () => {},
          handle: () => released.promise,
        });
        goOn = async () => {
          released.reject(new Error('it stood still'));
          await member.close();
        };
      };
      await join();
      const partitionOf = (user: string): number => log.partitionOf(JSON.stringify(['acme', user, 'only']));
      const users = Array.from({ length: 24 }, (_, n) => `still${n}`);
      const ofEach = [0, 1, 2, 3].map(partition => users.find(user => partitionOf(user) === partition)!);
      let round = 0;
      /** Both members have their part when some of what is said now is not projected. */
      const standStill = async () => {
        const n = round++;
        for (const user of ofEach) await client.ingest(said(user, 'only', n));
        const areThere = () =>
          Promise.all(ofEach.map(async user => (await wordsInIndex(wordsOf(user, 'only', n))).length > 0));
        const isHalf = async () => (await areThere()).filter(Boolean).length >= 2;
        await until('half of it is projected', isHalf, 10_000).catch(() => {});
        // The rest of what the other member has would be there by then.
        await pause(2_000);
        const there = await areThere();
        const others = ofEach.filter((_, i) => there[i]);
        const own = ofEach.find((_, i) => !there[i]);
        if (own !== undefined && others.length > 0) return { own, others };
        // A group that rebalances waits for this member's batch, and one that is silent for long has no part.
        await goOn();
        await join();
        return undefined;
      };
      try {
        const { own, others } = await untilDefined('some partitions stand still', standStill, 150_000);
        for (const user of others) {
          const answer = await erase(client, { user_id: user });
          expect(answer.erased).toMatchObject({ turns: round, sessions: 1 });
          expect(await wordsInEngines(wordsOf(user, 'only'))).toEqual([]);
        }
        const ofOwn = { scope: { org_id: 'any', user_id: own } };
        expect((await client.request('DELETE', '/memory', ofOwn)).status).toBe(503);
        await goOn();
        const isErased = async () => (await client.request('DELETE', '/memory', ofOwn)).status === 200;
        await until('the other one is erased, too', isErased, 60_000);
        const isProjected = async () => (await metric(api.url, 'turnstone_projector_lag_events')) === 0;
        await until('all is projected', isProjected, 60_000);
        const gone = [own, ...others].flatMap(user => wordsOf(user, 'only'));
        expect(await wordsInEngines(gone)).toEqual([]);
        expect(await told(client, gone)).toEqual([]);
      } finally {
        await goOn();
      }
    });
    await Promise.all([api.stop(), projector.stop()]);
  }, 300_000);

  it('is complete once it was answered, under load and through kill -9 in its middle, and a replay brings nothing back', async () => {
    const [one, enricher] = [await cluster.start('api'), await cluster.start('enricher')];
    let two = await cluster.start('api');
    let projector = await cluster.start('projector');
    const client = await cluster.client(one);
    let n = 100;
    let over = false;
    let billed = 0;
    const sent: string[] = [];
    const writer = async (): Promise<void> => {
      while (!over) {
        const number = n++;
        const [user, session] = [number % 2 ? 'ida' : 'otto', `day${number % 3}`];
        if (user === 'ida') sent.push(...wordsOf(user, session, number));
        billed += (await client.ingest(said(user, session, number))).usage.tokens_in;
      }
    };
    const before = (await client.today()).tokens_in;
    const writers = Promise.all(Array.from({ length: 3 }, writer));
    for (let round = 0; round < 3; round++) {
      await until('more was written', () => sent.length > (round + 1) * 40, 60_000);
      const other = await cluster.client(two);
      const cut = other
        .request('DELETE', '/memory', { scope: { org_id: 'any', user_id: 'ida' } })
        .catch(() => undefined);
      await pause(Math.random() * 400);
      await Promise.all([two.kill(), projector.kill()]);
      await cut;
      [two, projector] = await Promise.all([cluster.start('api'), cluster.start('projector')]);
    }
    over = true;
    await writers;
    const lastSaid = sent.slice(-60);
    const gone = ['day0', 'day1', 'day2'].flatMap(day => wordsOf('ida', day));
    await settled(one.url, 90_000);
    await until(
      'the erasure is answered',
      async () => {
        const answer = await client.request('DELETE', '/memory', {
          scope: { org_id: 'any', user_id: 'ida' },
        });
        return answer.status === 200;
      },
      60_000,
    );
    await settled(one.url, 90_000);
    expect(await told(client, lastSaid)).toEqual([]);
    expect(await wordsInEngines(gone)).toEqual([]);
    expect((await client.today()).tokens_in - before).toBeGreaterThanOrEqual(billed);
    const bill = (await client.today()).tokens_in;

    for (const projection of ['recall', 'usage']) {
      const replayed = await spawnCommand(['replay', projection], cluster.environment);
      expect(replayed, replayed.stderr).toMatchObject({ status: 0 });
    }
    // Asking is billed: first the bill, then the questions.
    expect((await client.today()).tokens_in).toBe(bill);
    expect(await told(client, lastSaid)).toEqual([]);
    expect(await wordsInEngines(gone)).toEqual([]);
    expect(await wordsInEngines(wordsOf('otto', 'day0'))).toHaveLength(4);
    const verified = await spawnCommand(['verify'], cluster.environment);
    expect(verified, verified.stdout).toMatchObject({ status: 0 });
    await Promise.all([one, two, projector, enricher].map(server => server.stop()));
  }, 300_000);
});
