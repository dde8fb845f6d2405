import { createReadStream, type Stats, statSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { EXIT, failure } from '../../client/exit.ts';
import type { Terminal } from '../../client/terminal.ts';
import { OPENING_BRACKET, withOpening } from '../../importers/files/opening.ts';
import { jsonLines } from '../../importers/json-lines.ts';
import { locomoItems } from '../../importers/locomo.ts';
import type { Item } from '../../importers/turns/item.ts';

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

/** How a zip file begins. */
const ZIP = Buffer.from('PK\u0003\u0004');
/** If none of them is a JSON object, the input isn't JSON Lines. */
const FIRST_LINES = 5;

const foreign = (first: Item[]): Error => {
  const lines = first.flatMap(item =>
    'faults' in item ? [`line ${item.location}: ${item.faults.join('; ')}`] : [],
  );
  const hint = 'for an export of another product: turnstone import';
  return failure(EXIT.usage, ['the input is not JSON Lines of turns:', ...lines, hint].join('\n  '));
};

/** Throws before the first turn is passed on if the input begins with no JSON object. */
async function* turnLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Item> {
  let first: Item[] | undefined = [];
  for await (const item of jsonLines(chunks)) {
    if (first && 'faults' in item && item.isForeign) {
      first.push(item);
      if (first.length === FIRST_LINES) throw foreign(first);
    } else {
      if (first) yield* first;
      first = undefined;
      yield item;
    }
  }
  if (first && first.length > 0) throw foreign(first);
}

/** Detects the format by the first bytes: LoCoMo is a JSON array. */
async function* detected(chunks: AsyncIterable<Buffer>): AsyncGenerator<Item> {
  const { first, start, all } = await withOpening(chunks);
  if (start.subarray(0, ZIP.length).equals(ZIP))
    throw failure(EXIT.usage, 'this is a zip file: turnstone import reads the exports of other products');
  yield* first === OPENING_BRACKET ? locomo(all) : turnLines(all);
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

const READERS = { auto: detected, jsonl: turnLines, locomo };

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
