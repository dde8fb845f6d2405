const NEWLINE = 0x0a;

/** A line without its line break. `bytes` is undefined if the line exceeded the limit and was skipped. */
export interface Line {
  /** Counted from 1. */
  number: number;
  bytes: Buffer | undefined;
  /** Bytes in the input, including the line break. */
  size: number;
}

/** Splits a stream of bytes into lines, holding one line and one chunk at a time. */
export async function* linesOf(chunks: AsyncIterable<Buffer>, longest: number): AsyncGenerator<Line> {
  let number = 0;
  let held: Buffer[] = [];
  let size = 0;

  const finished = (last: Buffer, end: number): Line => {
    const whole = size + last.length;
    const line = {
      number: ++number,
      bytes: whole > longest ? undefined : held.length === 0 ? last : Buffer.concat([...held, last]),
      size: whole + end,
    };
    held = [];
    size = 0;
    return line;
  };

  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      yield finished(chunk.subarray(start, end), 1);
      start = end + 1;
    }
    const rest = chunk.subarray(start);
    size += rest.length;
    // Above the limit, only the length is kept.
    if (size > longest) held = [];
    else if (rest.length > 0) held.push(rest);
  }
  if (size > 0) {
    const unfinished = Buffer.concat(held);
    size -= unfinished.length;
    held = [];
    yield finished(unfinished, 0);
  }
}
