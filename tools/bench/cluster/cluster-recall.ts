/**
 * Measures recall in a scope of 10,000 turns (candidates, then neighbours) and in one of 600 (candidates
 * alone). Each recall alternates with its floor: the same queries to Elasticsearch, one acknowledged record,
 * two Redis trips.
 */
import { connectElasticsearch } from '../../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import { recallAlias } from '../../../infra/cluster/elasticsearch/index/index.ts';
import { connectKafka } from '../../../infra/cluster/kafka/client/kafka-client.ts';
import { openKafkaLog } from '../../../infra/cluster/kafka/log.ts';
import { connectRedis } from '../../../infra/cluster/redis/redis-client.ts';
import type { Server } from '../../../test/support/processes/server.ts';
import { question, seededRandom, TURNS_OF_A_SESSION } from '../load/conversation.ts';
import { saturate } from '../load/load.ts';
import { openConnection, request } from '../load/load-connection.ts';
import { cpuSeconds, spent } from '../load/process.ts';
import { withTopic } from './cluster-ingestion.ts';
import { drain, settleMerges } from './cluster-projection.ts';
import { type Installation, tokenOf } from './installation.ts';
import { makeReplay, type Recorded, startRecorder } from './recorder.ts';

const SCOPES = [
  { user: 'scope-large', turns: 10_000 },
  { user: 'scope-small', turns: 600 },
];
const LOADING_CONNECTIONS = 8;
const WARM_UP = 30;
const SEED = 7;
/** Bytes of a metered recall's event. */
const METERED_BYTES = 400;
/** A recall's requests to Elasticsearch that bring candidates, the order of sessions and neighbours. */
const QUERIES = 3;

export interface ScopeFigures {
  turns: number;
  /** Milliseconds of each recall. */
  recalls: number[];
  /** CPU milliseconds of the API process per recall. */
  cpu: number;
  /** Milliseconds of each part of the floor, by recall. */
  queries: number[];
  produce: number[];
  redis: number[];
  /** Requests to Elasticsearch per recall, and bytes of the first answer. */
  asked: number;
  bytes: number;
}

const timed = async <T>(work: () => Promise<T>): Promise<[ms: number, T]> => {
  const started = performance.now();
  const value = await work();
  return [performance.now() - started, value];
};

const loadScopes = async ({ cluster, config, conversation }: Installation): Promise<void> => {
  const log = await openKafkaLog(config, { clientId: 'bench' });
  const projector = await cluster.start('projector');
  const api = await cluster.start('api');
  try {
    const token = await tokenOf(api.url, cluster.apiKey);
    const bodies = SCOPES.flatMap(({ user, turns }) =>
      Array.from({ length: turns / TURNS_OF_A_SESSION }, (_, session) =>
        conversation.body(
          { user, session: `session-${session}` },
          session * TURNS_OF_A_SESSION,
          TURNS_OF_A_SESSION,
        ),
      ),
    );
    let next = 0;
    await saturate({
      url: api.url,
      connections: LOADING_CONNECTIONS,
      next: () => request('POST', '/ingestion/memory', token, bodies[Math.min(next++, bodies.length - 1)]!),
      until: () => next >= bodies.length,
    });
    await drain(log);
  } finally {
    await Promise.all([api.stop(), projector.stop()]);
    await log.close();
  }
  const elasticsearch = connectElasticsearch(config);
  await settleMerges(elasticsearch, recallAlias(config));
  await elasticsearch.close();
};

/** Returns a function that recalls from a scope, one question after the other. */
const openAsking = async (api: Server, apiKey: string, user: string) => {
  const connection = await openConnection(api.url);
  const token = await tokenOf(api.url, apiKey);
  return {
    ask: async (q: string): Promise<void> => {
      const body = JSON.stringify({ scope: { org_id: 'acme', user_id: user }, q });
      const answer = await connection.send(request('POST', '/recall', token, body));
      if (answer.status !== 200)
        throw new Error(`a recall was answered with ${answer.status}: ${answer.body.toString()}`);
    },
    close: () => connection.close(),
  };
};

/** Records the requests to Elasticsearch that each question causes. */
const record = async (
  { cluster, config }: Installation,
  user: string,
  questions: readonly string[],
): Promise<Recorded[][]> => {
  const recorder = await startRecorder(config.elasticsearchUrl);
  const api = await cluster.start('api', { environment: { TURNSTONE_ELASTICSEARCH_URL: recorder.url } });
  try {
    const asking = await openAsking(api, cluster.apiKey, user);
    recorder.take();
    const recorded: Recorded[][] = [];
    for (const q of questions) {
      await asking.ask(q);
      recorded.push(recorder.take());
    }
    asking.close();
    return recorded;
  } finally {
    await api.stop();
    recorder.close();
  }
};

const openFloor = async ({ config }: Installation, topic: string) => {
  const replay = makeReplay(config.elasticsearchUrl);
  const producer = connectKafka(config).producer({ allowAutoTopicCreation: false });
  const redis = connectRedis(config);
  await Promise.all([
    producer.connect(),
    new Promise((resolve, reject) => redis.once('ready', resolve).once('error', reject)),
  ]);
  const value = Buffer.alloc(METERED_BYTES, 'x');
  return {
    /** Returns the bytes of the first answer. */
    queries: async (asked: readonly Recorded[]): Promise<number> => {
      let bytes = 0;
      for (const [i, one] of asked.slice(0, QUERIES).entries()) {
        const answer = await replay.send(one);
        if (answer.status !== 200) throw new Error(`a replayed query was answered with ${answer.status}`);
        if (i === 0) bytes = answer.body.length;
      }
      return bytes;
    },
    produce: () => producer.send({ topic, acks: -1, messages: [{ value, partition: 0 }] }),
    redis: async () => {
      await redis.ping();
      await redis.ping();
    },
    close: async () => {
      replay.close();
      redis.disconnect();
      await producer.disconnect();
    },
  };
};

const measureScope = async (
  installation: Installation,
  { user, turns }: (typeof SCOPES)[number],
  count: number,
  topic: string,
): Promise<ScopeFigures> => {
  const { cluster, say, profile } = installation;
  say(`recalling from a scope of ${turns} turns`);
  const random = seededRandom(SEED);
  const questions = Array.from({ length: WARM_UP + count }, () => question(random));
  const recorded = await record(installation, user, questions);
  const api = await cluster.start('api', { profile });
  const floor = await openFloor(installation, topic);
  const asking = await openAsking(api, cluster.apiKey, user);
  const figures: ScopeFigures = {
    turns,
    recalls: [],
    cpu: Number.NaN,
    queries: [],
    produce: [],
    redis: [],
    asked: recorded.reduce((sum, asked) => sum + asked.length, 0) / recorded.length,
    bytes: 0,
  };
  try {
    const pid = api.child.pid!;
    let before = cpuSeconds(pid);
    for (const [i, q] of questions.entries()) {
      if (i === WARM_UP) before = cpuSeconds(pid);
      // Alternating, so that other load on the machine affects both alike.
      const [recall] = await timed(() => asking.ask(q));
      const [queries, bytes] = await timed(() => floor.queries(recorded[i]!));
      const [produce] = await timed(floor.produce);
      const [redis] = await timed(floor.redis);
      if (i < WARM_UP) continue;
      figures.recalls.push(recall);
      figures.queries.push(queries);
      figures.produce.push(produce);
      figures.redis.push(redis);
      figures.bytes = Math.max(figures.bytes, bytes);
    }
    const cpu = Object.values(spent(before, cpuSeconds(pid))).reduce((sum, each) => sum + each, 0);
    return { ...figures, cpu: (cpu * 1_000) / count };
  } finally {
    asking.close();
    await floor.close();
    await api.stop();
  }
};

export const measureClusterRecall = async (
  installation: Installation,
  count: number,
): Promise<ScopeFigures[]> => {
  installation.say('loading what is recalled from');
  await loadScopes(installation);
  return withTopic(installation.config, 'bench-produce', async topic => {
    const figures: ScopeFigures[] = [];
    for (const scope of SCOPES) figures.push(await measureScope(installation, scope, count, topic));
    return figures;
  });
};
