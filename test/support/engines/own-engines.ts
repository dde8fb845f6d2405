/**
 * Engines that a test may kill: a set of its own, started by the script that TURNSTONE_TEST_ENGINES names
 * (commands up, down, kill, start, restart; see `engines` in the header of that script).
 */
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const script = process.env.TURNSTONE_TEST_ENGINES;

export const canStartEngines = script !== undefined && script !== '';

type Engine = 'kafka' | 'elasticsearch' | 'redis' | 'clickhouse';

export interface OwnEngines {
  /** `TURNSTONE_KAFKA_BROKERS` and so on. */
  environment: Record<string, string>;
  kill(engine: Engine, node?: number): Promise<void>;
  start(engine: Engine, node?: number): Promise<void>;
  restart(engine: Engine, node?: number): Promise<void>;
  /** Stops it and throws its data away; it has to be started again. */
  wipe(engine: Engine): Promise<void>;
  close(): Promise<void>;
}

/**
 * Ports from `port` on are theirs: brokers at 0, 10, 20, Redis at 50, ClickHouse at 60, Elasticsearch at 70
 * and 170.
 */
export const startEngines = async (port: number, brokers: 1 | 3 = 3): Promise<OwnEngines> => {
  const data = mkdtempSync(join(tmpdir(), 'turnstone-engines-'));
  // Elasticsearch runs as another user.
  chmodSync(data, 0o755);
  const env = {
    ...process.env,
    ENGINES_DATA: data,
    // Seconds that a start may take, beside other suites.
    ENGINES_WAIT: '200',
    // Engines that live for minutes, and are started again and again, need no second compiler.
    JDK_JAVA_OPTIONS: '-XX:TieredStopAtLevel=1',
    ENGINES_KAFKA_PORT: String(port),
    ENGINES_REDIS_PORT: String(port + 50),
    ENGINES_CLICKHOUSE_PORT: String(port + 60),
    ENGINES_ELASTICSEARCH_PORT: String(port + 70),
  };
  const run = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)(script!, args, { env })).stdout;
  // Some of them run, where one of them does not start.
  const exported = await run('up', '--brokers', String(brokers)).catch(async error => {
    await run('down', '--wipe');
    throw error;
  });
  const environment = Object.fromEntries(
    [...exported.matchAll(/^export (\w+)=['"]?([^'"\n]*)['"]?$/gm)].map(([, name, value]) => [name!, value!]),
  );
  const on = (command: string) => async (engine: Engine, node?: number) => {
    await run(command, engine, ...(node === undefined ? [] : [String(node)]));
  };
  return {
    environment,
    kill: on('kill'),
    start: on('start'),
    restart: on('restart'),
    wipe: async engine => {
      await run('down', '--wipe', '--only', engine);
    },
    close: async () => {
      await run('down', '--wipe');
    },
  };
};
