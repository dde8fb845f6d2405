/**
 * Builds a generation of a data folder once, by the threads of a source tree, and prints what that took as
 * JSON: `node build-once.ts TREE FOLDER`. A process of its own, so that the compiler begins anew as it does
 * in a replay.
 */
import { join } from 'node:path';
import type { Positions } from '../../../core/ports.ts';
import { cpuSeconds, residentBytes, spent } from './process.ts';

/** Figures of a build; CPU in microseconds, all threads. */
export interface BuiltOnce {
  /** Seconds until its threads are up. */
  startSeconds: number;
  /** Seconds until the file is closed with all its indices, the start included. */
  seconds: number;
  /** The part of `seconds` for the indices that are made at the end. */
  indexSeconds: number;
  cpu: number;
  /** Without what came after the threads' end. */
  cpuByThread: Record<string, number>;
  mostResident: number;
}

/** The threads in the order in which they are started. */
const NAMES: Record<string, string> = {
  requests: 'main',
  runtime: "V8's own",
  writer: 'writer of the log',
  projector: 'first of the build',
  recall: 'second of the build',
  enricher: 'third of the build',
};

const [tree, path] = process.argv.slice(2) as [string, string];
const at = <Module>(file: string): Promise<Module> => import(join(tree, file));
const [{ readConfig }, { eventsBehind }, { sharedTable }, { openDataFolder }, { createProjectionsDatabase }] =
  await Promise.all([
    at<typeof import('../../../core/config.ts')>('core/config.ts'),
    at<typeof import('../../../core/log/positions.ts')>('core/log/positions.ts'),
    at<typeof import('../../../core/threads/shared-table.ts')>('core/threads/shared-table.ts'),
    at<typeof import('../../../infra/embedded/data-folder.ts')>('infra/embedded/data-folder.ts'),
    at<typeof import('../../../infra/embedded/index/file/create-database.ts')>(
      'infra/embedded/index/file/create-database.ts',
    ),
  ]);
const [{ startWriter }, { connectWriter }, { openEventLog }, { makeSharedLoad }, { startBuild }] =
  await Promise.all([
    at<typeof import('../../../infra/embedded/log/writer.ts')>('infra/embedded/log/writer.ts'),
    at<typeof import('../../../infra/embedded/log/writer-connection.ts')>(
      'infra/embedded/log/writer-connection.ts',
    ),
    at<typeof import('../../../infra/embedded/log/event-log.ts')>('infra/embedded/log/event-log.ts'),
    at<typeof import('../../../services/embedded/threads/replay/shared-load.ts')>(
      'services/embedded/threads/replay/shared-load.ts',
    ),
    at<typeof import('../../../services/embedded/threads/replay/start-build.ts')>(
      'services/embedded/threads/replay/start-build.ts',
    ),
  ]);

const read = readConfig({});
if (!read.ok) throw new Error(read.faults.join('; '));
const { config } = read;
const { paths, generations, release } = openDataFolder(path);
const projections = generations.path(2);
const writer = await startWriter({ logPath: paths.log, keysPath: paths.keys }, error => {
  throw error;
});
const log = openEventLog(paths.log, connectWriter(writer.port()));
const ends = await log.ends();
const [table, load] = [sharedTable(), makeSharedLoad()];

const before = { cpu: process.cpuUsage(), threads: cpuSeconds(process.pid), at: performance.now() };
const secondsSince = (): number => (performance.now() - before.at) / 1_000;
let positions: Positions = {};
const built = Promise.withResolvers<void>();
const data = () => ({ paths, table, load, config, clockOffset: 0, writer: writer.port() });
const build = await startBuild({ data, projections, model: undefined, throttle: undefined }, message => {
  if (message.kind === 'stopped' || message.kind === 'trouble') built.reject(new Error(message.kind));
  if (message.kind !== 'progress') return;
  positions = { ...positions, ...message.positions };
  if (eventsBehind(positions, ends) === 0) built.resolve();
});
const startSeconds = secondsSince();
await built.promise;
const threads = spent(before.threads, cpuSeconds(process.pid));
await build.close();
const closedAfter = secondsSince();
createProjectionsDatabase(projections).close();
const seconds = secondsSince();
const { user, system } = process.cpuUsage(before.cpu);
const figures: BuiltOnce = {
  startSeconds,
  seconds,
  indexSeconds: seconds - closedAfter,
  cpu: user + system,
  cpuByThread: Object.fromEntries(
    Object.entries(threads).map(([name, own]) => [NAMES[name] ?? name, own * 1e6]),
  ),
  mostResident: residentBytes(process.pid)?.most ?? Number.NaN,
};
await log.close();
await writer.close();
generations.remove(2);
release();
process.stdout.write(JSON.stringify(figures));
