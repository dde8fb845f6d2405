/** Reads the service's metrics from `GET /metrics`. */
import { pause } from '../load/load.ts';

/** Interval between reads: each costs the service some milliseconds of the work that is being waited for. */
const LOOK_MS = 250;

/** Returns the values of the metrics without labels, by name. */
export const readMetrics = async (url: string): Promise<Map<string, number>> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  return new Map(
    [...text.matchAll(/^([a-z_0-9]+) (\S+)$/gm)].map(([, name, value]) => [name!, Number(value)]),
  );
};

/** Returns the seconds until all of these metrics are 0; infinite if they are not within `most` seconds. */
export const secondsUntilZero = async (
  url: string,
  names: readonly string[],
  most: number,
): Promise<number> => {
  const started = performance.now();
  for (;;) {
    const metrics = await readMetrics(url);
    const seconds = (performance.now() - started) / 1_000;
    if (names.every(name => metrics.get(name) === 0)) return seconds;
    if (seconds > most) return Number.POSITIVE_INFINITY;
    await pause(LOOK_MS);
  }
};
