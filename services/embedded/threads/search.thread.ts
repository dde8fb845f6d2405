/**
 * A recall thread: searches the projections' files. A search takes some milliseconds of CPU time, which the request
 * thread can't spare during writes. On its own thread, neither waits for the other.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { openProjectionsReader } from '../../../infra/embedded/index/projections-database.ts';
import { openRecallIndex } from '../../../infra/embedded/index/recall-index.ts';
import { isDamage } from '../../../infra/embedded/sqlite-errors.ts';
import { decodeDocument } from '../../../projections/language/codec.ts';
import { makeLanguage } from '../../../projections/language/language.ts';
import type { Search } from '../../core/ports.ts';
import { makeYieldWhenDue } from '../../core/yield-when-due.ts';
import { makeSearch } from '../../use-cases/recall/search.ts';
import type { SearchMessage, SearchReply, SearchThreadData } from './search-thread.ts';

const { projections, table } = workerData as SearchThreadData;
const language = makeLanguage(new Uint8Array(table));

interface Opened {
  search: Search;
  running: number;
  /** Close it when no search runs in it any more. */
  retired: boolean;
  close(): void;
}

const opened = new Map<string, Opened>();
const open = (path: string): Opened => {
  const reader = openProjectionsReader(path);
  const search = makeSearch({
    index: openRecallIndex({ reader, decodeDocument, analyse: language.analyse, makeYieldWhenDue }),
    language,
  });
  const one: Opened = { search, running: 0, retired: false, close: () => reader.close() };
  opened.set(path, one);
  return one;
};
open(projections);

const closeUnused = (path: string): void => {
  const one = opened.get(path);
  if (!one?.retired || one.running > 0) return;
  opened.delete(path);
  one.close();
};

const answer = async (path: string, work: (one: Opened) => Promise<SearchReply>): Promise<SearchReply> => {
  const one = opened.get(path) ?? open(path);
  one.running++;
  try {
    return await work(one);
  } finally {
    one.running--;
    closeUnused(path);
  }
};

parentPort!.on('message', async (message: SearchMessage) => {
  if (message === 'close') {
    for (const one of opened.values()) one.close();
    return parentPort!.close();
  }
  if ('retire' in message) {
    const one = opened.get(message.retire);
    if (one) one.retired = true;
    return closeUnused(message.retire);
  }
  const { number, projections } = message;
  let reply: SearchReply;
  try {
    reply = await answer(projections, async ({ search }) =>
      message.request ? { number, result: await search(message.request) } : { number, opened: true },
    );
  } catch (error) {
    // Only the message is sent: an error of SQLite or of the code, never the query.
    const fault = error instanceof Error ? error.message : 'unknown fault';
    const outage = (error as { code?: unknown }).code === 'ERR_SQLITE_ERROR';
    reply = { number, fault, outage, ...(isDamage(error) && { damaged: projections }) };
  }
  parentPort!.postMessage(reply);
});
