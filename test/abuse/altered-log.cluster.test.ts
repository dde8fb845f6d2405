/**
 * An operator, a tool or a full disk changes the topics behind the service's back. What is built from a log
 * that isn't what it was would be served as the truth: nothing may be, and calls are answered all the while.
 */
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { readConfig } from '../../core/config.ts';
import type { Topic } from '../../core/ports.ts';
import { makeLog } from '../../core/watch/logger.ts';
import {
  connectElasticsearch,
  type Elasticsearch,
} from '../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import { openRegistry } from '../../infra/cluster/elasticsearch/index/registry.ts';
import { topicName } from '../../infra/cluster/kafka/records.ts';
import type { ClusterConfig } from '../../schemas/config.ts';
import { openOffline } from '../../services/compose/offline.ts';
import { dropNamespace } from '../support/engines/drop-namespace.ts';
import { ENGINES, URL_VARIABLES } from '../support/engines/engine-urls.ts';
import { describeOnEngines } from '../support/engines/engines.ts';
import { addPartitions, changeTopic, deleteRecords } from '../support/engines/kafka.ts';
import { dropRedisKeys, openTestRedis } from '../support/engines/redis.ts';
import { type Client, metric, send } from '../support/http/client.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { runCommand } from '../support/processes/command-line.ts';
import type { Message } from '../support/processes/operator.ts';
import type { Server } from '../support/processes/server.ts';
import { pause, until } from '../support/wait.ts';

const { urls } = inject('engines');

const TURNS = 12;

/** Mistakes that an operator makes, and what the refusal says of each. */
const MISTAKES: { topic: Topic; settings: Record<string, string>; says: string }[] = [
  {
    topic: 'turns',
    settings: { 'retention.ms': '604800000' },
    says: 'retention.ms of the topic NAME is 604800000',
  },
  {
    topic: 'accounts',
    settings: { 'retention.bytes': '1073741824' },
    says: 'retention.bytes of the topic NAME is 1073741824',
  },
  {
    topic: 'keys',
    settings: { 'cleanup.policy': 'delete' },
    says: 'cleanup.policy of the topic NAME is delete',
  },
  {
    topic: 'usage',
    settings: { 'unclean.leader.election.enable': 'true' },
    says: 'unclean.leader.election.enable of the topic NAME is true',
  },
];

type Ready = { degraded: string[]; engines: Record<string, { ok: boolean; detail: string }> };

describeOnEngines('a log that is not what it was', () => {
  let cluster: Cluster;
  let config: ClusterConfig;
  let elasticsearch: Elasticsearch;
  let operator: Awaited<ReturnType<typeof openOffline>>;
  let api: Server;
  let projector: Server | undefined;
  let client: Client;
  let written = 0;

  const write = async (turns: number): Promise<void> => {
    for (let i = 0; i < turns; i++) {
      const text = `The kettle number ${++written} is blue.`;
      await client.ingest({
        scope: { user_id: `user-${written}` },
        turns: [{ role: 'user', text, timestamp: '2026-01-01T00:00:00Z' }],
      });
    }
  };
  const found = async (): Promise<number> =>
    (await client.recall({ q: 'Which kettle is blue?', kinds: ['turn'], top_k: 50 })).hits.turns.length;
  const ready = async (server: Server) => send<Ready>(`${server.url}/readyz`, 'GET');
  const replay = async (): Promise<Message> => {
    const messages: Message[] = [];
    try {
      for await (const message of operator.call(
        'replay',
        { projection: 'recall' },
        new AbortController().signal,
      ))
        messages.push(message as Message);
    } catch (error) {
      return { kind: 'failed', message: (error as Error).message };
    }
    return messages.at(-1)!;
  };
  const generations = async (): Promise<string> =>
    (await openRegistry(elasticsearch, config).read('recall'))!.generations
      .map(({ number, state }) => `${number} ${state}`)
      .join(', ');
  const startProjector = async (): Promise<Server> => {
    projector = await cluster.start('projector');
    return projector;
  };
  const migrate = async (): Promise<void> => {
    const { status, stderr } = await runCommand(['migrate'], cluster.environment);
    expect({ status, stderr }).toMatchObject({ status: 0 });
  };
  const stopProjector = async (): Promise<void> => {
    await projector?.stop();
    projector = undefined;
  };

  beforeAll(async () => {
    cluster = await makeCluster(Object.fromEntries(ENGINES.map(name => [URL_VARIABLES[name], urls[name]!])));
    const read = readConfig(cluster.environment);
    if (!read.ok) throw new Error(read.faults.join('\n'));
    config = read.config.cluster!;
    elasticsearch = connectElasticsearch(config);
    api = await cluster.start('api');
    projector = await cluster.start('projector');
    client = await cluster.client(api);
    await write(TURNS);
    await until(
      'all is projected',
      async () => (await metric(api.url, 'turnstone_projector_lag_events')) === 0,
    );
    operator = await openOffline(read.config, makeLog('silent'));
    await stopProjector();
  });
  afterAll(async () => {
    await projector?.stop();
    await api?.stop();
    await operator?.close();
    await cluster?.close();
    await elasticsearch?.close();
    if (config) await dropNamespace(config);
  });

  it.each(MISTAKES)('is refused with other $settings on $topic', async ({ topic, settings, says }) => {
    const name = topicName(config, topic);
    await changeTopic(config, topic, settings);
    const refusal = await replay();
    expect(refusal).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining(says.replace('NAME', name)),
    });
    expect(refusal.message).toContain('turnstone migrate');
    expect(await generations()).toBe('1 serving');
    await migrate();
  });

  it('is projected by nobody while a topic would lose records, and goes on by itself', async () => {
    await changeTopic(config, 'turns', { 'retention.ms': '604800000' });
    const server = await startProjector();
    await until('the projector says so', async () => {
      const { status, body } = await ready(server);
      return (
        status === 503 &&
        /^waits: .*retention\.ms of the topic \S+turns is 604800000/.test(body.engines.projector!.detail)
      );
    });
    await write(1);
    expect(await found()).toBe(written);
    expect(await metric(api.url, 'turnstone_projector_lag_events')).toBeGreaterThan(0);
    await migrate();
    await until(
      'it goes on',
      async () => (await metric(api.url, 'turnstone_projector_lag_events')) === 0,
      30_000,
    );
    await until('it is ready', async () => (await ready(server)).status === 200);
    await stopProjector();
  });

  it('promotes nothing when records are gone, while calls are answered', async () => {
    const gone = await deleteRecords(config, 'turns');
    expect(gone).toBeGreaterThan(0);
    expect(await replay()).toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(new RegExp(`${topicName(config, 'turns')}/\\d+ begins at \\d+`)),
    });
    expect(await generations()).toBe('1 serving');
    expect(await found()).toBe(written);

    const server = await startProjector();
    await until('the projector names the topic', async () => {
      const { status, body } = await ready(server);
      return status === 503 && body.engines.projector!.detail.includes(topicName(config, 'turns'));
    });
    await write(1);
    expect(await found()).toBe(written);
    await until(
      'the API names it too',
      async () => {
        const { status, body } = await ready(api);
        return (
          status === 200 && body.degraded.includes('log') && body.engines.log!.detail.includes('begins at')
        );
      },
      40_000,
    );
    expect(await metric(api.url, 'turnstone_log_faults')).toBeGreaterThan(0);
    expect(await metric(api.url, 'turnstone_projector_lag_events')).toBeGreaterThan(0);
    await stopProjector();
  });

  it('is refused when a topic has got more partitions, and an API starts on it', async () => {
    await addPartitions(config, 'usage', config.partitions + 2);
    const says = `${topicName(config, 'usage')} has ${config.partitions + 2} partitions`;
    await until('a broker tells it', async () => String((await replay()).message).includes(says));
    const other = await cluster.start('api');
    const { hits } = await (await cluster.client(other)).recall({
      q: 'Which kettle is blue?',
      kinds: ['turn'],
    });
    expect(hits.turns.length).toBeGreaterThan(0);
    await other.stop();
  });

  it('is not taken for an empty one by a Redis that lost everything', async () => {
    // Accounts are rebuilt from their topic: without its first records, every key would be unknown.
    await deleteRecords(config, 'accounts');
    const redis = await openTestRedis(config);
    await dropRedisKeys(redis, config.namespace);
    redis.disconnect();
    const exchange = () => send(`${api.url}/auth/token-exchange`, 'POST', { api_key: cluster.apiKey });
    await until('the loss is noticed', async () => (await exchange()).status === 503);
    for (let tries = 0; tries < 20; tries++) {
      expect((await exchange()).status).toBe(503);
      await pause(200);
    }
  });
});
