/**
 * Makes stores of many turns to recall from. Loading one through the API takes minutes, so it is kept in a
 * folder outside of the repository and used again as long as its manifest matches the request. Measurements
 * write (a recall is metered, an ingestion runs beside it), so each works on a copy.
 */
import { constants, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECTIONS_VERSION } from '../../infra/embedded/index/file/stored-projections.ts';
import { temporaryFolder } from '../../test/support/processes/server.ts';
import { type Conversation, TURNS_OF_A_SESSION } from './load/conversation.ts';
import { saturate } from './load/load.ts';
import { request } from './load/load-connection.ts';
import { residentBytes } from './load/process.ts';
import { startService } from './load/service.ts';
import { readMetrics, secondsUntilZero } from './measure/read-metrics.ts';

/** Turns of a user partition, the scope that is searched. */
export const TURNS_OF_A_SCOPE = 10_000;
const CONNECTIONS = 16;
const DRAIN_SECONDS = 1_800;

export interface StoreManifest {
  turns: number;
  projections: string;
  texts: number;
  /** Resident bytes of the process that loaded it, when the last turn was projected and enriched. */
  resident: { now: number; most: number } | undefined;
  loadSeconds: number;
}

export const userOf = (partition: number): string => `user-${partition}`;

const expected = (turns: number, conversation: Conversation) => ({
  turns,
  projections: PROJECTIONS_VERSION,
  texts: conversation.texts.join('').length,
});

const readManifest = (path: string): StoreManifest | undefined =>
  existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;

/** Loads all partitions in turns, as a service fills: each one's fragments are spread over the file. */
const load = async (folder: string, turns: number, conversation: Conversation): Promise<StoreManifest> => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const server = await startService({ dataDir: join(folder, 'data') });
  try {
    const partitions = turns / TURNS_OF_A_SCOPE;
    const sessions = turns / TURNS_OF_A_SESSION;
    let sent = 0;
    const next = (): string => {
      const number = sent++;
      const first = Math.floor(number / partitions) * TURNS_OF_A_SESSION;
      const scope = { user: userOf(number % partitions), session: `session-${first / TURNS_OF_A_SESSION}` };
      return request(
        'POST',
        '/ingestion/memory',
        server.token,
        conversation.body(scope, first, TURNS_OF_A_SESSION),
      );
    };
    const loaded = await saturate({
      url: server.url,
      connections: CONNECTIONS,
      next,
      until: () => sent >= sessions,
    });
    const lags = ['turnstone_projector_lag_events', 'turnstone_enricher_lag_events'];
    const drained = await secondsUntilZero(server.url, lags, DRAIN_SECONDS);
    if (drained === Number.POSITIVE_INFINITY) throw new Error('the store was not projected in time');
    const dead = (await readMetrics(server.url)).get('turnstone_dead_letters');
    if (dead !== 0) throw new Error(`${dead} events of the store became dead letters`);
    return {
      ...expected(turns, conversation),
      resident: residentBytes(server.pid),
      loadSeconds: loaded.seconds + drained,
    };
  } finally {
    await server.stop();
  }
};

export interface Store {
  manifest: StoreManifest;
  /** Returns a copy of its data folder, removed by `drop` or when this process ends. */
  copy(): { dataDir: string; drop(): void };
}

/** Opens the store of this size under `folder`, loading it first if it is missing. */
export const openStore = async (
  folder: string,
  turns: number,
  conversation: Conversation,
  say: (line: string) => void,
): Promise<Store> => {
  const own = join(folder, `turns-${turns}`);
  const path = join(own, 'manifest.json');
  let manifest = readManifest(path);
  const wanted = Object.entries(expected(turns, conversation));
  if (!manifest || !wanted.every(([name, value]) => manifest?.[name as keyof StoreManifest] === value)) {
    say(`loading a store of ${turns} turns into ${own}, once`);
    manifest = await load(own, turns, conversation);
    writeFileSync(path, JSON.stringify(manifest));
  }
  return {
    manifest,
    copy: () => {
      const dataDir = temporaryFolder();
      cpSync(join(own, 'data'), dataDir, { recursive: true, mode: constants.COPYFILE_FICLONE });
      return { dataDir, drop: () => rmSync(dataDir, { recursive: true, force: true }) };
    },
  };
};
