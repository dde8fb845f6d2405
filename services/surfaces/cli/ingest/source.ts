import { createReadStream, type Stats, statSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { EXIT, failure } from '../../client/exit.ts';
import type { Terminal } from '../../client/terminal.ts';
import type { Item } from '../../importers/item.ts';
import { jsonLines } from '../../importers/json-lines.ts';
import { locomoItems } from '../../importers/locomo.ts';
import { OPENING_BRACKET, withOpening } from '../../importers/opening.ts';

export type Format = 'auto' | 'jsonl' | 'locomo';

export interface Source {
  items: AsyncIterable<Item>;
  /** Bytes; undefined if unknown before the end. */
  size: number | undefined;
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

async function* withoutMark(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const chunk of chunks) {
    yield isFirst && chunk.subarray(0, 3).equals(BYTE_ORDER_MARK) ? chunk.subarray(3) : chunk;
    isFirst = false;
  }
}

async function* locomo(chunks: AsyncIterable<Buffer>): AsyncGenerator<Item> {
  const bytes = await buffer(chunks);
  let data: unknown;
  try {
    data = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw failure(EXIT.failure, 'the file is not JSON in UTF-8, as the LoCoMo format requires', error);
  }
  yield* locomoItems(data, bytes.length);
}

/** Detects the format by the first byte: LoCoMo is a JSON array. */
async function* detected(chunks: AsyncIterable<Buffer>): AsyncGenerator<Item> {
  const { first, all } = await withOpening(chunks);
  yield* first === OPENING_BRACKET ? locomo(all) : jsonLines(all);
}

const unreadable = (file: string, error: unknown): Error =>
  failure(EXIT.failure, `can't read ${file}: ${(error as Error).message}`, error);

async function* fileChunks(file: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(file) as AsyncIterable<Buffer>;
  } catch (error) {
    throw unreadable(file, error);
  }
}

const READERS = { auto: detected, jsonl: jsonLines, locomo };

/** Opens a file, or stdin for `-`. Read errors are thrown by `items`. */
export const openSource = (terminal: Terminal, file: string, format: Format): Source => {
  const read = (chunks: AsyncIterable<Buffer>): AsyncIterable<Item> => READERS[format](withoutMark(chunks));
  if (file === '-') return { items: read(terminal.stdin), size: undefined };
  let stat: Stats;
  try {
    stat = statSync(file);
  } catch (error) {
    throw unreadable(file, error);
  }
  return { items: read(fileChunks(file)), size: stat.isFile() ? stat.size : undefined };
};
