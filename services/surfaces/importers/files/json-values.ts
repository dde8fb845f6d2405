import { pipeline, Readable } from 'node:stream';
import streamArray from 'stream-json/streamers/stream-array.js';
import { importFault, isImportFault } from '../turns/found.ts';
import { OPENING_BRACKET, withOpening } from './opening.ts';

/** Maximum bytes of an element. Longer than any conversation: an unterminated one must not exhaust memory. */
const LONGEST_VALUE = 256 * 1024 * 1024;

const tooLong = (number: number, longest: number): Error =>
  importFault(`conversation ${number} is longer than ${Math.floor(longest / 1024 / 1024)} MiB`);

async function* elements(chunks: AsyncIterable<Buffer>, longest: number): AsyncGenerator<unknown> {
  let count = 0;
  let sinceLast = 0;
  // The parser would silently replace invalid UTF-8 with �.
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  async function* watched(): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      sinceLast += chunk.length;
      if (sinceLast > longest) throw tooLong(count + 1, longest);
      utf8.decode(chunk, { stream: true });
      yield chunk;
    }
    utf8.decode();
  }
  // Queues nothing: a conversation may be large. (The package's types lack this option.)
  const options = { packValues: true, streamValues: false, readableHighWaterMark: 1 };
  const parsed = streamArray.withParserAsStream(options);
  // Errors are thrown by the loop below.
  pipeline(Readable.from(watched(), { objectMode: false }), parsed, () => {});
  try {
    for await (const { value } of parsed as AsyncIterable<{ value: unknown }>) {
      count++;
      sinceLast = 0;
      yield value;
    }
  } catch (error) {
    if (isImportFault(error)) throw error;
    // A system error means that the file could not be read.
    if ((error as NodeJS.ErrnoException).errno !== undefined) throw error;
    throw importFault(
      count === 0
        ? 'is not JSON in UTF-8, or was cut short'
        : `is not JSON in UTF-8 after conversation ${count}, or was cut short`,
      error,
    );
  }
}

async function* single(chunks: AsyncIterable<Buffer>, longest: number): AsyncGenerator<unknown> {
  const held: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > longest) throw tooLong(1, longest);
    held.push(chunk);
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(held)));
  } catch (error) {
    throw importFault('is not JSON in UTF-8, or was cut short', error);
  }
  yield value;
}

/**
 * Streams the elements of a JSON array; any other text is a single value. Throws an `ImportFault` if the text
 * is not JSON, or if an element has more than about `longest` bytes: read-ahead is counted too.
 */
export async function* jsonValues(
  chunks: AsyncIterable<Buffer>,
  longest = LONGEST_VALUE,
): AsyncGenerator<unknown> {
  const { first, all } = await withOpening(chunks);
  yield* first === OPENING_BRACKET ? elements(all, longest) : single(all, longest);
}
