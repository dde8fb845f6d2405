/**
 * Splits an mbox file (RFC 4155) into its messages: each begins with a line `From `, behind an empty line.
 * Lines of a message that begin so are written with `>` before them.
 */
import { linesOf } from '../files/lines.ts';

/** Attachments are within a message; providers accept up to 50 MB, which base64 makes a third longer. */
const LONGEST_MESSAGE = 96 * 1024 * 1024;
const LONGEST_LINE = 32 * 1024 * 1024;

/** `From ada@example.com Mon Jan  5 09:30:00 2026`, with an offset or a zone in some. */
const SEPARATOR = /^From \S+ +(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? .*\d{1,2}:\d{2}.*\d{4}/;
const QUOTED_SEPARATOR = /^>+From /;
/** Bytes of a line that tell a separator. */
const LONGEST_SEPARATOR = 256;
const LINE_FEED = Buffer.from('\n');

const startOf = (bytes: Buffer): string => bytes.subarray(0, LONGEST_SEPARATOR).toString('latin1');

export const isSeparator = (bytes: Buffer): boolean => SEPARATOR.test(startOf(bytes));

export interface RawMail {
  /** The line of the file, from 1, at which the message begins. */
  line: number;
  /** Undefined: it is longer than any mail. */
  bytes: Buffer | undefined;
}

const withoutReturn = (bytes: Buffer): Buffer =>
  bytes.at(-1) === 0x0d ? bytes.subarray(0, bytes.length - 1) : bytes;

/**
 * Yields the messages, one in memory at a time. A file that does not begin with a separator is one message.
 * With `onlyHeads`, each without its body.
 */
export async function* mailsIn(chunks: AsyncIterable<Buffer>, onlyHeads: boolean): AsyncGenerator<RawMail> {
  let held: Buffer[] = [];
  let size = 0;
  let began = 1;
  let isTooLong = false;
  let isInBody = false;
  let wasEmpty = true;
  let hasAny = false;

  const finished = (): RawMail => ({ line: began, bytes: isTooLong ? undefined : Buffer.concat(held) });
  const add = (bytes: Buffer): void => {
    size += bytes.length + 1;
    if (size > LONGEST_MESSAGE) {
      isTooLong = true;
      held = [];
    }
    if (!isTooLong) held.push(bytes, LINE_FEED);
  };

  for await (const { number, bytes } of linesOf(chunks, LONGEST_LINE)) {
    const line = bytes && withoutReturn(bytes);
    if (line && wasEmpty && isSeparator(line)) {
      if (hasAny) yield finished();
      [held, size, began, isTooLong, isInBody, hasAny] = [[], 0, number, false, false, true];
      // A header follows at once: an empty line behind the separator is no end of the head.
      wasEmpty = false;
      continue;
    }
    if (line === undefined) isTooLong = true;
    else if (!isInBody || !onlyHeads)
      add(isInBody && QUOTED_SEPARATOR.test(startOf(line)) ? line.subarray(1) : line);
    wasEmpty = line !== undefined && line.length === 0;
    if (wasEmpty) isInBody = true;
    else hasAny = true;
  }
  if (hasAny) yield finished();
}
