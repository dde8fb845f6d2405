import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readConfig } from '../../../../../../core/config.ts';
import { hasReached, positionsIn } from '../../../../../../core/log/positions.ts';
import type { Positions } from '../../../../../../core/ports.ts';
import { sharedTable } from '../../../../../../core/threads/shared-table.ts';
import { decodeDocument } from '../../../../../../domain/language/vectors/codec.ts';
import { createProjectionsDatabase } from '../../../../../../infra/embedded/index/file/create-database.ts';
import { openProjectionStore } from '../../../../../../infra/embedded/index/file/projection-store.ts';
import { openVerifiableRows } from '../../../../../../infra/embedded/index/read/verify/verifiable-rows.ts';
import { makeProjections, PROJECTED_TOPICS } from '../../../../../../projections/all.ts';
import { WHOLE } from '../../../../../../projections/verify/sample.ts';
import { makeSharedLoad } from '../../../../../../services/embedded/threads/replay/shared-load.ts';
import { startBuild } from '../../../../../../services/embedded/threads/replay/start-build.ts';
import { readSetAside } from '../../../../../../services/operations/dead-letters/letters.ts';
import { startProjector } from '../../../../../../services/workers/projector/projector.ts';
import { messageOf } from '../../../../../../services/workers/report.ts';
import { language } from '../../../../../contracts/openers/embedded.ts';
import { until } from '../../../../../support/wait.ts';
import { fill, openWorld, type World } from './history.ts';

const read = readConfig({});
if (!read.ok) throw new Error(read.faults.join('; '));
const { config } = read;

/** Everything that no verification reads row by row, without the numbers that rows happen to get. */
const DUMPS = [
  'SELECT type, name, sql FROM sqlite_schema',
  'SELECT s.key, p.role FROM speakers p JOIN scopes s ON s.no = p.scope',
  'SELECT s.key, n.name FROM sessions n JOIN scopes s ON s.no = n.partition',
  'SELECT * FROM usage_days',
  'SELECT * FROM usage_events',
  'SELECT * FROM usage_rows',
  'SELECT * FROM account_events',
  'SELECT * FROM account_ends',
  'SELECT * FROM retentions',
  'SELECT w.id, f.id AS by FROM followed w JOIN fragments f ON f.no = w.fragment',
  'SELECT s.key, e.normalised, e.id, e.label, e.kind FROM entities e JOIN scopes s ON s.no = e.partition',
  'SELECT e.id, p.label, p.kind FROM spellings p JOIN entities e ON e.no = p.entity',
  `SELECT e.id, p.label, f.turn FROM named n JOIN entities e ON e.no = n.entity
     JOIN spellings p ON p.no = n.spelling JOIN findings f ON f.no = n.finding`,
  `SELECT s.key, t.term, m.digest FROM metadata_terms t JOIN scopes s ON s.no = t.scope
     JOIN metadata m ON m.no = t.metadata`,
  `SELECT f.id, f.kind, o.key AS organization, p.key AS partition, n.name AS session, m.digest, f.log_partition, f.offset,
     f.read_offset, f.text, f.document, f.fact_key, f.fact_stands, f.corrected_id, f.corrected_key, f.recorded, f.expires,
     f.kept_from FROM fragments f JOIN scopes o ON o.no = f.organization JOIN scopes p ON p.no = f.partition
     JOIN sessions n ON n.no = f.session LEFT JOIN metadata m ON m.no = f.metadata`,
];

const plain = (_: string, value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;

/** Returns a line for each row, and what is derived and differs. */
const contentOf = async (path: string): Promise<{ lines: string[]; derived: object[] }> => {
  const database = new DatabaseSync(path, { readOnly: true });
  const lines = DUMPS.flatMap((sql, n) =>
    database
      .prepare(sql)
      .all()
      .map(row => `${n} ${JSON.stringify(Object.values(row), plain)}`),
  );
  database.close();
  const picture = await openVerifiableRows(path, decodeDocument).open();
  for await (const row of picture.rows(WHOLE)) lines.push(JSON.stringify(row));
  const derived: object[] = [];
  for await (const difference of picture.derived(WHOLE)) derived.push(difference);
  await picture.close();
  return { lines: lines.sort(), derived };
};

let world: World;
let ends: Positions;
beforeEach(async () => {
  world = await openWorld();
  await fill(world);
  ends = positionsIn(await world.log.ends(), PROJECTED_TOPICS);
});
afterEach(() => world.close());

/** Projects the log by one projector in this thread, in small steps. */
const projectAlone = async (path: string): Promise<void> => {
  const { log, decode } = world;
  const store = openProjectionStore(createProjectionsDatabase(path), decodeDocument);
  let fault: string | undefined;
  const projector = startProjector({
    log,
    store,
    decode,
    projections: makeProjections(language()),
    topics: PROJECTED_TOPICS,
    limits: config.poisonLimits,
    setAside: await readSetAside(log),
    onApplied: () => {},
    onStopped: ({ reason }) => (fault = reason),
    onTrouble: error => (fault = messageOf(error)),
  });
  await until(
    'it is projected',
    async () => fault !== undefined || hasReached(await store.positions(), ends),
  );
  await projector.close();
  await store.close();
  expect(fault).toBeUndefined();
};

/** Builds until it has come so far; returns where it is. */
const build = async (
  path: string,
  isEnough: (positions: Positions) => boolean,
  throttle?: number,
): Promise<Positions> => {
  let positions: Positions = {};
  const enough = Promise.withResolvers<void>();
  const data = () => ({
    paths: world.paths,
    table: sharedTable(),
    load: makeSharedLoad(),
    config,
    clockOffset: 0,
    writer: world.writer.port(),
  });
  const started = await startBuild({ data, projections: path, model: undefined, throttle }, report => {
    if (report.kind === 'stopped') enough.reject(new Error(report.reason));
    if (report.kind === 'trouble') enough.reject(new Error(report.message));
    if (report.kind === 'progress' || report.kind === 'ready')
      positions = { ...positions, ...report.positions };
    if (isEnough(positions)) enough.resolve();
  });
  await enough.promise.finally(started.close);
  return positions;
};
const isWhole = (positions: Positions): boolean => hasReached(positions, ends);
const isBegun = (positions: Positions): boolean => Object.values(positions).some(offset => offset > 0);

it('writes the same rows as one thread, whatever the log takes away again', async () => {
  const [alone, together] = [world.generations.path(2), world.generations.path(3)];
  await projectAlone(alone);
  await build(together, isWhole);
  createProjectionsDatabase(together).close();
  const expected = await contentOf(alone);
  expect(expected.derived).toEqual([]);
  expect(expected.lines.length).toBeGreaterThan(5_000);
  expect(await contentOf(together)).toEqual(expected);
});

it('goes on where it was ended, in small steps of both threads', async () => {
  const [alone, together] = [world.generations.path(2), world.generations.path(3)];
  await projectAlone(alone);
  const first = await build(together, isBegun, 1_000);
  expect(isWhole(first)).toBe(false);
  await build(together, isWhole, 1_600);
  createProjectionsDatabase(together).close();
  expect(await contentOf(together)).toEqual(await contentOf(alone));
});
