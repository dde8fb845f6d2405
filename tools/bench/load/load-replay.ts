/** Measures how fast the threads of a replay build a generation from a log of turns and their enrichments. */
import { DatabaseSync } from 'node:sqlite';
import { readConfig } from '../../../core/config.ts';
import { makeDecode } from '../../../core/log/events.ts';
import { eventsBehind } from '../../../core/log/positions.ts';
import { readPages } from '../../../core/log/read.ts';
import type { KeyStore, NewRecord, PolledLog, Positions } from '../../../core/ports.ts';
import { sharedTable } from '../../../core/threads/shared-table.ts';
import { openDataFolder } from '../../../infra/embedded/data-folder.ts';
import { createProjectionsDatabase } from '../../../infra/embedded/index/file/create-database.ts';
import { openKeyStore } from '../../../infra/embedded/keys/key-store.ts';
import { openEventLog } from '../../../infra/embedded/log/event-log.ts';
import { startWriter } from '../../../infra/embedded/log/writer.ts';
import { connectWriter } from '../../../infra/embedded/log/writer-connection.ts';
import { makeSharedLoad } from '../../../services/embedded/threads/replay/shared-load.ts';
import { startBuild } from '../../../services/embedded/threads/replay/start-build.ts';
import { makeEnrich } from '../../../services/workers/enricher/enrich.ts';
import { makeExtractor } from '../../../services/workers/enricher/make-extractor.ts';
import { temporaryFolder } from '../../../test/support/processes/server.ts';
import { type Conversation, TURNS_OF_A_SESSION } from './conversation.ts';
import { TURNS_OF_A_REQUEST } from './load-ingestion.ts';
import { recordsOfWrite } from './written.ts';

const TURNS = 100_000;
const USERS = 20;
/** Sessions per append. */
const APPENDED = 50;
/** Records of turns that are enriched together. */
const ENRICHED = 100;
/** Records per commit of the floor, as many as a replay's. */
const STEP = 1_000;

export interface ReplayFigures {
  turns: number;
  /** Seconds until its threads are up, once per replay. */
  startSeconds: number;
  /** Seconds from there until the file is closed with all its indices. */
  seconds: number;
  /** CPU microseconds of all threads per turn. */
  cpuOfTurn: number;
  floorSeconds: number;
}

/** Returns the turns of some sessions, in writes of ten. */
const writesOf = async (
  conversation: Conversation,
  keys: KeyStore,
  session: number,
): Promise<NewRecord[]> => {
  const scope = { org: 'local', user: `user-${session % USERS}`, session: `session-${session}` };
  const key = await keys.forSession(scope.org, scope.user, scope.session);
  const records: NewRecord[] = [];
  for (let turn = 0; turn < TURNS_OF_A_SESSION; turn += TURNS_OF_A_REQUEST) {
    const body = conversation.body(scope, session * TURNS_OF_A_SESSION + turn, TURNS_OF_A_REQUEST);
    for (const { record } of await recordsOfWrite(scope, body, key)) records.push(record);
  }
  return records;
};

/** Appends the enrichments of all turns in the log, as the enricher does. */
const enrichAll = async (log: PolledLog, keys: KeyStore): Promise<void> => {
  const enrich = makeEnrich({
    keys,
    decode: makeDecode(keys),
    extractor: makeExtractor({ kind: 'rules' }, { openChat: noChat, onState: () => {} }),
    clock: Date.now,
  });
  const range = { topics: ['turns'], to: await log.ends(), pageSize: ENRICHED } as const;
  for await (const { records } of readPages(log, range)) {
    const { records: found } = await enrich(records, new AbortController().signal);
    await log.append(found);
  }
};

const noChat = (): never => {
  throw new Error('the rules ask no model');
};

/**
 * Measures the necessary work of every replay: each record is read and stored again, one row each, in commits
 * of the same size.
 */
const measureFloor = async (log: PolledLog, ends: Positions, path: string): Promise<number> => {
  const started = performance.now();
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE rows (value BLOB)');
  const insert = database.prepare('INSERT INTO rows VALUES (?)');
  for (const [topicPartition, end] of Object.entries(ends)) {
    const [topic, partition] = topicPartition.split('/') as [NewRecord['topic'], string];
    for (let from = 0; from < end; from += STEP) {
      database.exec('BEGIN');
      for (const { value } of await log.read(topic, Number(partition), from, STEP)) insert.run(value);
      database.exec('COMMIT');
    }
  }
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  return (performance.now() - started) / 1_000;
};

export const measureReplay = async (conversation: Conversation): Promise<ReplayFigures> => {
  const folder = openDataFolder(temporaryFolder());
  const { paths, installationKeys, generations } = folder;
  const writer = await startWriter({ logPath: paths.log, keysPath: paths.keys }, error => {
    throw error;
  });
  const connection = connectWriter(writer.port());
  const log = openEventLog(paths.log, connection);
  const keys = openKeyStore(paths.keys, installationKeys, connection);
  try {
    for (let session = 0; session < TURNS / TURNS_OF_A_SESSION; session += APPENDED) {
      const records: NewRecord[] = [];
      for (let i = 0; i < APPENDED; i++) records.push(...(await writesOf(conversation, keys, session + i)));
      await log.append(records);
    }
    await enrichAll(log, keys);
    const ends = await log.ends();
    const floorSeconds = await measureFloor(log, ends, generations.path(3));

    const table = sharedTable();
    const read = readConfig({});
    if (!read.ok) throw new Error(read.faults.join('; '));
    const { config } = read;
    const started = performance.now();
    let positions: Positions = {};
    const built = Promise.withResolvers<void>();
    const data = () => ({
      paths,
      table,
      load: makeSharedLoad(),
      config,
      clockOffset: 0,
      writer: writer.port(),
    });
    const build = await startBuild(
      { data, projections: generations.path(2), model: undefined, throttle: undefined },
      message => {
        if (message.kind === 'stopped' || message.kind === 'trouble') built.reject(new Error(message.kind));
        if (message.kind !== 'progress') return;
        positions = { ...positions, ...message.positions };
        if (eventsBehind(positions, ends) === 0) built.resolve();
      },
    );
    const ready = performance.now();
    const before = process.cpuUsage();
    await built.promise;
    await build.close();
    createProjectionsDatabase(generations.path(2)).close();
    const seconds = (performance.now() - ready) / 1_000;
    const { user, system } = process.cpuUsage(before);
    const startSeconds = (ready - started) / 1_000;
    return { turns: TURNS, startSeconds, seconds, cpuOfTurn: (user + system) / TURNS, floorSeconds };
  } finally {
    await keys.close();
    await log.close();
    await writer.close();
    folder.release();
  }
};
