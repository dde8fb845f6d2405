/**
 * Measures ingestion: as many turns as the service takes for a while, with all of its projections running
 * behind.
 */

import { readMetrics, secondsUntilZero } from '../measure/read-metrics.ts';
import { type Conversation, TURNS_OF_A_SESSION } from './conversation.ts';
import { type LoadResult, saturate } from './load.ts';
import { request } from './load-connection.ts';
import { type CpuSeconds, cpuSeconds, machineSeconds, spent } from './process.ts';
import { type Measured, startFloor, startService } from './service.ts';

export const TURNS_OF_A_REQUEST = 10;
export const CONNECTIONS = 32;
const USERS = 100;
const WARM_UP_SECONDS = 3;
/** The floor has no backlog, so a shorter run shows its rate. */
const FLOOR_SECONDS = 20;
const DRAIN_SECONDS = 300;

const TAIL = ['turnstone_tail_events'];
const ALL_LAGS = ['turnstone_enricher_lag_events', 'turnstone_projector_lag_events'];

/**
 * Returns the next request of a stream of new sessions, each written by one connection from its first turn to
 * its last. `turns`: of a request, a divisor of a session's.
 */
export const newSessions = (
  conversation: Conversation,
  token: string,
  { prefix = 'user', users = USERS, turns = TURNS_OF_A_REQUEST } = {},
): ((n: number) => string) => {
  interface Writing {
    user: number;
    session: number;
    next: number;
    end: number;
  }
  const writing: Writing[] = [];
  let sessions = 0;
  return connection => {
    let current = writing[connection];
    if (!current || current.next === current.end) {
      const session = Math.floor(sessions / users);
      const next = session * TURNS_OF_A_SESSION;
      current = { user: sessions++ % users, session, next, end: next + TURNS_OF_A_SESSION };
      writing[connection] = current;
    }
    const scope = { user: `${prefix}-${current.user}`, session: `session-${current.session}` };
    const body = conversation.body(scope, current.next, turns);
    current.next += turns;
    return request('POST', '/ingestion/memory', token, body);
  };
};

export interface Ingested {
  load: LoadResult;
  turnsPerSecond: number;
  /** CPU microseconds per turn by thread, while the load ran. */
  cpu: CpuSeconds;
  /** Cores that other processes used meanwhile: with more than a few hundredths no rate is decisive. */
  others: number;
}

/** `next`: returns the bytes of a connection's next request; `until`: ends the load early. */
export const ingest = async (
  target: Pick<Measured, 'url' | 'pid'>,
  next: (connection: number) => string,
  seconds: number,
  until: () => boolean = () => false,
): Promise<Ingested> => {
  const common = { url: target.url, connections: CONNECTIONS, next, until };
  await saturate({ ...common, seconds: WARM_UP_SECONDS });
  const before = cpuSeconds(target.pid);
  const own = process.cpuUsage();
  const machine = machineSeconds();
  const load = await saturate({ ...common, seconds });
  const turns = load.latencies.length * TURNS_OF_A_REQUEST;
  const { user, system } = process.cpuUsage(own);
  const cpu = spent(before, cpuSeconds(target.pid));
  const ownSeconds = (user + system) / 1e6;
  const serverSeconds = Object.values(cpu).reduce((sum, each) => sum + each, 0);
  const others = Math.max((machineSeconds() - machine - serverSeconds - ownSeconds) / load.seconds, 0);
  const aTurn = Object.entries({ ...cpu, 'load generator': ownSeconds }).map(
    ([thread, cpuTime]) => [thread, (cpuTime * 1e6) / turns] as const,
  );
  return { load, turnsPerSecond: turns / load.seconds, cpu: Object.fromEntries(aTurn), others };
};

export interface IngestionFigures {
  floor: Ingested;
  service: Ingested;
  /** Acknowledged events not yet in the projections when the load ended, and seconds until they did. */
  lagEvents: number;
  lagSeconds: number;
  /** Seconds from the end of the load until everything is enriched and projected. */
  drainSeconds: number;
  drainTurnsBehind: number;
}

export const measureIngestion = async (
  conversation: Conversation,
  seconds: number,
  profile?: string,
): Promise<IngestionFigures> => {
  const floorServer = await startFloor();
  const floor = await ingest(
    floorServer,
    newSessions(conversation, floorServer.token),
    Math.min(seconds, FLOOR_SECONDS),
  ).finally(() => floorServer.stop());
  const server = await startService({ profile });
  try {
    const service = await ingest(server, newSessions(conversation, server.token), seconds);
    const metrics = await readMetrics(server.url);
    const lagSeconds = await secondsUntilZero(server.url, TAIL, DRAIN_SECONDS);
    const drainSeconds = lagSeconds + (await secondsUntilZero(server.url, ALL_LAGS, DRAIN_SECONDS));
    return {
      floor,
      service,
      lagEvents: metrics.get('turnstone_tail_events') ?? Number.NaN,
      lagSeconds,
      drainSeconds,
      drainTurnsBehind: metrics.get('turnstone_enricher_lag_events') ?? Number.NaN,
    };
  } finally {
    await server.stop();
  }
};
