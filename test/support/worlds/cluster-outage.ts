/**
 * An outage under load, after which everything that was acknowledged is held against the log
 * (cluster-check.ts).
 */
import { accessToken, settled } from '../http/client.ts';
import { rounds } from '../long.ts';
import type { Cluster } from '../processes/cluster.ts';
import type { Server } from '../processes/server.ts';
import { until } from '../wait.ts';
import { check, type Verdict } from './cluster-check.ts';
import { startLoad } from './cluster-load.ts';

/** Writes that are answered before the outage, and as many after it. */
export const WRITES = rounds(30, 500);

export interface OutageSteps {
  /** Runs under load, before the outage. `moreWrites` resolves when as many again are answered. */
  prepare: (moreWrites: () => Promise<void>) => Promise<void>;
  /** Resolves when what was down is back. */
  outage: () => Promise<unknown>;
}

/** `server`: of the role `all`. Prints the verdict, and for how many milliseconds writes stood still. */
export const surviveOutage = async (
  cluster: Cluster,
  server: Server,
  { prepare, outage }: OutageSteps,
): Promise<Verdict> => {
  const token = await accessToken(server.url, cluster.apiKey);
  const load = startLoad({ urls: () => [server.url], token, workers: 4, pauseMs: 20 });
  const moreWrites = async (): Promise<void> => {
    const enough = load.written() + WRITES;
    await until(`${WRITES} more writes`, () => load.written() >= enough, 60_000);
  };
  await moreWrites();
  await prepare(moreWrites);
  const started = performance.now();
  await outage();
  await moreWrites();
  const outageMs = performance.now() - started;
  const kept = await load.stop();
  await settled(server.url, 60_000);
  const verdict = await check(cluster, await cluster.client(server), kept, outageMs);
  console.log(JSON.stringify({ outageMs: Math.round(outageMs), ...verdict }));
  return verdict;
};
