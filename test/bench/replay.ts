/** How fast a generation is built from the log: the threads of a replay, on a log of turns and what was found in them. */
import { DatabaseSync } from 'node:sqlite';
import { openDataFolder } from '../../infra/embedded/data-folder.ts';
import { createProjectionsDatabase } from '../../infra/embedded/index/create-database.ts';
import { openKeyStore } from '../../infra/embedded/keys/key-store.ts';
import { connectWriter, openEventLog } from '../../infra/embedded/log/event-log.ts';
import { startWriter } from '../../infra/embedded/log/writer.ts';
import { makeRulesExtractor, RULES_EXTRACTOR_VERSION } from '../../projections/extraction/extract.ts';
import { extractionId, turnId } from '../../projections/recall/identity.ts';
import { checkIngest } from '../../schemas/http/ingestion.ts';
import { readConfig } from '../../services/config.ts';
import { encodeEvent } from '../../services/core/log/events.ts';
import { eventsBehind } from '../../services/core/log/positions.ts';
import type { KeyStore, NewRecord, PolledLog, Positions } from '../../services/core/ports.ts';
import { sharedTable } from '../../services/core/shared-table.ts';
import { countTokens } from '../../services/core/tokens/count.ts';
import { startBuild } from '../../services/embedded/threads/build.ts';
import { makeSharedLoad } from '../../services/embedded/threads/load.ts';
import { temporaryFolder } from '../support/server.ts';
import { type Conversation, TURNS_OF_A_SESSION } from './conversation.ts';

const TURNS = 100_000;
const USERS = 20;
/** Sessions that share an append. */
const APPENDED = 50;
/** Records of the floor's commit: as many as a replay's. */
const STEP = 1_000;

export interface ReplayFigures {
  turns: number;
  /** Until its threads are up, once a replay. */
  startSeconds: number;
  /** From there on until the file is closed and has all its indices. */
  seconds: number;
  /** Microseconds of all threads. */
  cpuOfTurn: number;
  floorSeconds: number;
}

const recordsOf = async (
  conversation: Conversation,
  keys: KeyStore,
  session: number,
  extract: ReturnType<typeof makeRulesExtractor>,
): Promise<NewRecord[]> => {
  const place = { org: 'local', user: `user-${session % USERS}`, session: `session-${session}` };
  const body = conversation.body(place, session * TURNS_OF_A_SESSION, TURNS_OF_A_SESSION);
  const checked = checkIngest(JSON.parse(body));
  if (!checked.ok) throw new Error('a generated body is not valid');
  const own = await keys.forSession(place.org, place.user, place.session);
  const common = { org_id: 'local', recorded_at: new Date().toISOString(), correlation_id: 'bench' };
  const key = JSON.stringify([place.org, place.user, place.session]);
  const scope = { user_id: place.user, session_id: place.session };
  return checked.value.turns.flatMap(({ role, text, timestamp: said }): NewRecord[] => {
    const timestamp = Date.parse(said);
    const id = turnId(own.identity, { ...place, role, text, timestamp });
    const at = new Date(timestamp).toISOString();
    const turn = {
      ...scope,
      job_id: `job_${'0'.repeat(32)}`,
      role,
      text,
      timestamp: at,
      active: true,
      passive: true,
      observations: [],
    };
    const found = {
      ...scope,
      turn_id: id,
      extractor: RULES_EXTRACTOR_VERSION,
      role,
      timestamp: at,
      source: 'rules',
      ...extract({ role, text, timestamp }),
    };
    const event = (type: string, eventId: string, body: { data: object; tokens?: number }): Uint8Array =>
      encodeEvent({ ...common, id: eventId, type, ...body }, own);
    return [
      { topic: 'turns', key, value: event('turn.recorded', id, { data: turn, tokens: countTokens(text) }) },
      {
        topic: 'observations',
        key,
        value: event('observations.extracted', extractionId(id, RULES_EXTRACTOR_VERSION), {
          data: found,
        }),
      },
    ];
  });
};

/** What no replay can leave out: every record is read and stored again, one row each, in commits of the same size. */
const measureFloor = async (log: PolledLog, ends: Positions, path: string): Promise<number> => {
  const started = performance.now();
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE rows (value BLOB)');
  const insert = database.prepare('INSERT INTO rows VALUES (?)');
  for (const [place, end] of Object.entries(ends)) {
    const [topic, partition] = place.split('/') as [NewRecord['topic'], string];
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
    const extract = makeRulesExtractor();
    for (let session = 0; session < TURNS / TURNS_OF_A_SESSION; session += APPENDED) {
      const records: NewRecord[] = [];
      for (let i = 0; i < APPENDED; i++)
        records.push(...(await recordsOf(conversation, keys, session + i, extract)));
      await log.append(records);
    }
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
      { data, projections: generations.path(2), throttle: undefined },
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
