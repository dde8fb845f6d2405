/** Measures recall in one partition of a large store: cold, at random, warm, and beside ingestion. */

import { readMetrics } from '../measure/read-metrics.ts';
import { openStore, TURNS_OF_A_SCOPE, userOf } from '../store.ts';
import { type Conversation, question, type Random, seededRandom } from './conversation.ts';
import { pace } from './load.ts';
import { type Connection, openConnection, request } from './load-connection.ts';
import { CONNECTIONS, newSessions, TURNS_OF_A_REQUEST } from './load-ingestion.ts';
import { cpuSeconds, machineSeconds } from './process.ts';
import { type Measured, startFloor, startService } from './service.ts';

const WARM_UP = 50;
const WARM_PARTITIONS = 5;
/** Half of the target rate of ingestion. */
export const TURNS_PER_SECOND_BESIDE = 3_000;
const SEED = 7;

interface Asking {
  connection: Connection;
  token: string;
  random: Random;
}

/** Returns the milliseconds to the whole answer of one recall from a partition. */
const ask = async ({ connection, token, random }: Asking, partition: number): Promise<number> => {
  const body = JSON.stringify({
    scope: { org_id: 'local', user_id: userOf(partition) },
    q: question(random),
  });
  const text = request('POST', '/recall', token, body);
  const started = performance.now();
  const answer = await connection.send(text);
  const ms = performance.now() - started;
  if (answer.status !== 200) throw new Error(`a recall was answered with ${answer.status}`);
  return ms;
};

const askAll = async (asking: Asking, partitions: Iterable<number>): Promise<number[]> => {
  const latencies: number[] = [];
  for (const partition of partitions) latencies.push(await ask(asking, partition));
  return latencies;
};

const withAsking = async <T>(target: Measured, work: (asking: Asking) => Promise<T>): Promise<T> => {
  const connection = await openConnection(target.url);
  try {
    return await work({ connection, token: target.token, random: seededRandom(SEED) });
  } finally {
    connection.close();
  }
};

function* randomPartitions(count: number, partitions: number, random: Random): Generator<number> {
  for (let i = 0; i < count; i++) yield Math.floor(random() * partitions);
}

export interface Beside {
  /** Milliseconds of each recall. */
  recalls: number[];
  turnsPerSecond: number;
  ingestion: number[];
  /** The server's event-loop delay during these recalls, in milliseconds. */
  loopP50: number;
  loopP99: number;
  loopMost: number;
}

export interface RecallFigures {
  turns: number;
  /**
   * Milliseconds of the first recall from each partition after a start; the following series are in
   * milliseconds too.
   */
  cold: number[];
  /** Partitions in a random order. */
  random: number[];
  /** A few partitions, again and again. */
  warm: number[];
  /** CPU milliseconds of the request thread per random recall; NaN without such a figure. */
  cpu: number;
  /**
   * Cores in use on the whole machine during the random recalls: one recall at a time keeps less than one
   * busy.
   */
  busy: number;
  beside?: Beside;
}

/** Measures `count` random recalls while turns of other partitions come in at an even rate. */
const recallBesideIngestion = async (
  server: Measured,
  conversation: Conversation,
  count: number,
  partitions: number,
): Promise<Beside> => {
  let done = false;
  const ingesting = pace({
    url: server.url,
    connections: CONNECTIONS,
    next: newSessions(conversation, server.token, { prefix: 'beside' }),
    perSecond: TURNS_PER_SECOND_BESIDE / TURNS_OF_A_REQUEST,
    stopped: () => done,
  });
  try {
    return await withAsking(server, async asking => {
      await askAll(asking, randomPartitions(WARM_UP, partitions, asking.random));
      // Each read resets the delay.
      await readMetrics(server.url);
      const recalls = await askAll(asking, randomPartitions(count, partitions, asking.random));
      const metrics = await readMetrics(server.url);
      done = true;
      const { latencies, seconds } = await ingesting;
      const loop = (name: string): number =>
        (metrics.get(`nodejs_eventloop_lag_${name}_seconds`) ?? Number.NaN) * 1_000;
      return {
        recalls,
        ingestion: latencies,
        turnsPerSecond: (latencies.length * TURNS_OF_A_REQUEST) / seconds,
        loopP50: loop('p50'),
        loopP99: loop('p99'),
        loopMost: loop('max'),
      };
    });
  } finally {
    done = true;
    await ingesting.catch(() => {});
  }
};

export interface RecallOptions {
  store: string;
  turns: number;
  /** Recalls per series. */
  count: number;
  conversation: Conversation;
  beside: boolean;
  say: (line: string) => void;
  profile?: string | undefined;
}

export const measureRecall = async (options: RecallOptions): Promise<RecallFigures> => {
  const { turns, count, conversation, beside, say, profile } = options;
  const store = await openStore(options.store, turns, conversation, say);
  const partitions = turns / TURNS_OF_A_SCOPE;
  const copy = store.copy();
  try {
    const server = await startService({ dataDir: copy.dataDir, profile });
    try {
      const series = await withAsking(server, async asking => {
        const cold = await askAll(
          asking,
          Array.from({ length: partitions }, (_, i) => i),
        );
        const before = cpuSeconds(server.pid).requests ?? Number.NaN;
        const machine = machineSeconds();
        const started = performance.now();
        const random = await askAll(asking, randomPartitions(count, partitions, asking.random));
        const busy = ((machineSeconds() - machine) * 1_000) / (performance.now() - started);
        const cpu = (((cpuSeconds(server.pid).requests ?? Number.NaN) - before) * 1_000) / count;
        const again = Array.from(
          { length: count },
          (_, i) => Math.floor(i / (count / WARM_PARTITIONS)) % partitions,
        );
        return { cold, random, cpu, busy, warm: await askAll(asking, again) };
      });
      return {
        turns,
        ...series,
        ...(beside && { beside: await recallBesideIngestion(server, conversation, count, partitions) }),
      };
    } finally {
      await server.stop();
    }
  } finally {
    copy.drop();
  }
};

/** Measures the floor of a recall: parsing, one synced record, an answer of the same size. */
export const measureRecallFloor = async (count: number): Promise<number[]> => {
  const floor = await startFloor();
  try {
    return await withAsking(floor, async asking => {
      await askAll(asking, new Array<number>(WARM_UP).fill(0));
      return askAll(asking, new Array<number>(count).fill(0));
    });
  } finally {
    await floor.stop();
  }
};
