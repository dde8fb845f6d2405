/** Measures how fast the threads of a replay build a generation from a log of turns and their enrichments. */
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeDecode } from '../../../core/log/events.ts';
import { readPages } from '../../../core/log/read.ts';
import type { KeyStore, NewRecord, PolledLog, Positions } from '../../../core/ports.ts';
import { openDataFolder } from '../../../infra/embedded/data-folder.ts';
import { openKeyStore } from '../../../infra/embedded/keys/key-store.ts';
import { openEventLog } from '../../../infra/embedded/log/event-log.ts';
import { startWriter } from '../../../infra/embedded/log/writer.ts';
import { connectWriter } from '../../../infra/embedded/log/writer-connection.ts';
import { makeEnrich } from '../../../services/workers/enricher/enrich.ts';
import { makeExtractor } from '../../../services/workers/enricher/make-extractor.ts';
import { temporaryFolder } from '../../../test/support/processes/server.ts';
import type { BuiltOnce } from './build-once.ts';
import { type Conversation, TURNS_OF_A_SESSION } from './conversation.ts';
import { TURNS_OF_A_REQUEST } from './load-ingestion.ts';
import { recordsOfWrite } from './written.ts';

const TURNS = 100_000;
const USERS = 20;
/** Sessions per append. */
const APPENDED = 50;
/** Records of turns that are enriched together. */
const ENRICHED = 100;
/** Records per commit of the floor, about as many as a replay's. */
const STEP = 1_000;

const BUILD_ONCE = fileURLToPath(new URL('build-once.ts', import.meta.url));
const THIS_TREE = fileURLToPath(new URL('../../..', import.meta.url));

export interface ReplayFigures {
  turns: number;
  floorSeconds: number;
  /** By source tree. */
  builds: ReadonlyMap<string, BuiltOnce[]>;
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
  rmSync(path);
  return (performance.now() - started) / 1_000;
};

/** Writes a log into a data folder; returns the seconds of the floor. */
const writeLog = async (path: string, conversation: Conversation): Promise<number> => {
  const folder = openDataFolder(path);
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
    return await measureFloor(log, await log.ends(), generations.path(3));
  } finally {
    await keys.close();
    await log.close();
    await writer.close();
    folder.release();
  }
};

const buildOnce = async (tree: string, folder: string, profile?: string): Promise<BuiltOnce> => {
  const profiling = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [];
  const ended = await promisify(execFile)(process.execPath, [...profiling, BUILD_ONCE, tree, folder]);
  return JSON.parse(ended.stdout);
};

/**
 * @param runs builds of each tree
 * @param others source trees of other releases to compare with this one, in turns
 */
export const measureReplay = async (
  conversation: Conversation,
  {
    runs,
    others,
    say,
    profile,
  }: { runs: number; others: readonly string[]; say: (line: string) => void; profile?: string | undefined },
): Promise<ReplayFigures> => {
  const folder = temporaryFolder();
  say(`writing a log of ${TURNS} turns`);
  const floorSeconds = await writeLog(folder, conversation);
  const builds = new Map<string, BuiltOnce[]>();
  for (let run = 1; run <= runs; run++) {
    for (const tree of [...others, THIS_TREE]) {
      const name = tree === THIS_TREE ? 'this' : tree;
      say(`run ${run} of ${runs}: a generation by ${name}`);
      const once = await buildOnce(tree, folder, tree === THIS_TREE ? profile : undefined);
      builds.set(name, [...(builds.get(name) ?? []), once]);
    }
  }
  return { turns: TURNS, floorSeconds, builds };
};
