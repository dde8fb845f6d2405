/**
 * Measures CPU per turn until it is searchable and until it is enriched, alternating between this source tree
 * and others.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MAIN } from '../../../test/support/processes/server.ts';
import type { Conversation } from '../load/conversation.ts';
import { saturate } from '../load/load.ts';
import { CONNECTIONS, newSessions, TURNS_OF_A_REQUEST } from '../load/load-ingestion.ts';
import { type CpuSeconds, cpuSeconds, spent } from '../load/process.ts';
import { type Measured, startFloor, startService } from '../load/service.ts';
import { secondsUntilZero } from './read-metrics.ts';

/** Enough for the compiler to have done most of its work. */
const WARM_UP_TURNS = 30_000;
const MEASURED_TURNS = 60_000;
const DRAIN_SECONDS = 300;

const TAIL = ['turnstone_tail_events'];
const LAGS = [...TAIL, 'turnstone_enricher_lag_events', 'turnstone_projector_lag_events'];

export interface CpuRun {
  /** Microseconds per turn by thread, until every turn of the load is searchable. */
  searchable: CpuSeconds;
  /** The same, until everything is enriched and projected; a floor has none. */
  enriched: CpuSeconds;
  /** Bytes per turn of the log's file and of the whole data folder, after a stop. */
  logBytes: number;
  folderBytes: number;
}

export interface CpuFigures {
  floor: CpuRun[];
  /** By source tree. */
  services: ReadonlyMap<string, CpuRun[]>;
}

/** Sends this many turns; resolves when each is acknowledged. */
const load = async (server: Measured, next: (connection: number) => string, turns: number): Promise<void> => {
  let left = turns / TURNS_OF_A_REQUEST;
  const until = (): boolean => left <= 0;
  const counted = (connection: number): string => {
    left--;
    return next(connection);
  };
  await saturate({ url: server.url, connections: CONNECTIONS, next: counted, until });
};

const sizeOf = (folder: string, matches: (file: string) => boolean = () => true): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(matches)
    .reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);

const aTurn = (before: CpuSeconds, after: CpuSeconds): CpuSeconds =>
  Object.fromEntries(
    Object.entries(spent(before, after)).map(([thread, seconds]) => [
      thread,
      (seconds * 1e6) / MEASURED_TURNS,
    ]),
  );

const measureOne = async (
  server: Measured,
  conversation: Conversation,
  isFloor: boolean,
): Promise<CpuRun> => {
  const next = newSessions(conversation, server.token);
  const settled = async (names: readonly string[]): Promise<void> => {
    if (isFloor) return;
    if (!Number.isFinite(await secondsUntilZero(server.url, names, DRAIN_SECONDS)))
      throw new Error('the projections do not catch up');
  };
  let [before, searchable, enriched]: CpuSeconds[] = [];
  try {
    await load(server, next, WARM_UP_TURNS);
    await settled(LAGS);
    before = cpuSeconds(server.pid);
    await load(server, next, MEASURED_TURNS);
    await settled(TAIL);
    searchable = cpuSeconds(server.pid);
    await settled(LAGS);
    enriched = cpuSeconds(server.pid);
  } finally {
    await server.stop();
  }
  const turns = WARM_UP_TURNS + MEASURED_TURNS;
  const { dataDir } = server;
  return {
    searchable: aTurn(before, searchable),
    enriched: aTurn(before, enriched),
    logBytes: dataDir ? sizeOf(dataDir, file => /^log\.db/.test(file)) / turns : Number.NaN,
    folderBytes: dataDir ? sizeOf(dataDir) / turns : Number.NaN,
  };
};

/** @param others source trees of other releases to compare with this one */
export const measureCpu = async (
  conversation: Conversation,
  { runs, others, say }: { runs: number; others: readonly string[]; say: (line: string) => void },
): Promise<CpuFigures> => {
  const floor: CpuRun[] = [];
  const mains = new Map([
    ...others.map((tree): [string, string] => [tree, join(tree, 'services/main.ts')]),
    ['this', MAIN],
  ]);
  const services = new Map<string, CpuRun[]>();
  for (let run = 1; run <= runs; run++) {
    say(`run ${run} of ${runs}: the floor`);
    floor.push(await measureOne(await startFloor(), conversation, true));
    for (const [name, main] of mains) {
      say(`run ${run} of ${runs}: ${name}`);
      const one = await measureOne(await startService({ main }), conversation, false);
      services.set(name, [...(services.get(name) ?? []), one]);
    }
  }
  return { floor, services };
};
