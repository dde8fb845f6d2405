/**
 * The recall thread: searches the projections' file. A search takes some milliseconds of computing, and while turns
 * come in the request thread has none to spare: neither would wait for the other.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { openProjectionsReader } from '../../infra/embedded/projections-database.ts';
import { openRecallIndex } from '../../infra/embedded/recall-index.ts';
import { decodeDocument } from '../../projections/language/codec.ts';
import { makeLanguage } from '../../projections/language/language.ts';
import { makeBreathe } from '../breathe.ts';
import { makeSearch } from '../recall/search.ts';
import type { SearcherData, SearchMessage, SearchReply } from './searcher.ts';

const { projections, table } = workerData as SearcherData;
const language = makeLanguage(new Uint8Array(table));

const reader = openProjectionsReader(projections);
const search = makeSearch({
  index: openRecallIndex({ reader, decodeDocument, analyse: language.analyse, makeBreathe }),
  language,
});

parentPort!.on('message', async (message: SearchMessage) => {
  if (message === 'close') {
    reader.close();
    return parentPort!.close();
  }
  let reply: SearchReply;
  try {
    reply = { number: message.number, result: await search(message.request) };
  } catch (error) {
    // The message alone: a fault of SQLite or of the code, never what was asked.
    const fault = error instanceof Error ? error.message : 'unknown fault';
    const outage = (error as { code?: unknown }).code === 'ERR_SQLITE_ERROR';
    reply = { number: message.number, fault, outage };
  }
  parentPort!.postMessage(reply);
});
