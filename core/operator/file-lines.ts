import { createReadStream } from 'node:fs';

/** Longer than any event that the log accepts; keeps a file without line breaks from filling the memory. */
const LONGEST_LINE = 16 * 1024 * 1024;
const NEWLINE = 0x0a;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A line as JSON; `fault`: why it isn't JSON. */
export type Line = { number: number } & ({ value: unknown } | { fault: string });

const lineOf = (number: number, bytes: Buffer): Line => {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { number, fault: 'is not valid UTF-8' };
  }
  try {
    return { number, value: JSON.parse(text) };
  } catch {
    return { number, fault: 'is not JSON' };
  }
};

const isBlank = (bytes: Buffer): boolean => bytes.every(byte => byte === 0x0d || byte === 0x20);

/** Yields the lines of a file, numbered from 1, without empty ones. Rejects with the system's error. */
export async function* fileLines(path: string): AsyncGenerator<Line> {
  let number = 0;
  let held: Buffer[] = [];
  let size = 0;
  const finished = (last: Buffer): Line | undefined => {
    number++;
    const isTooLong = size + last.length > LONGEST_LINE;
    const bytes = Buffer.concat([...held, last]);
    held = [];
    size = 0;
    if (isTooLong) return { number, fault: `is longer than ${LONGEST_LINE} bytes` };
    return isBlank(bytes) ? undefined : lineOf(number, bytes);
  };
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const line = finished(chunk.subarray(start, end));
      if (line) yield line;
      start = end + 1;
    }
    const rest = chunk.subarray(start);
    size += rest.length;
    // For a line above the limit, only the length is kept.
    if (size > LONGEST_LINE) held = [];
    else if (rest.length > 0) held.push(rest);
  }
  const line = size > 0 ? finished(Buffer.alloc(0)) : undefined;
  if (line) yield line;
}
