export const OPENING_BRACKET = 0x5b;
export const OPENING_BRACE = 0x7b;
const BYTE_ORDER_MARK = 0xef;

/** Returns the first byte that is neither white space nor part of a byte order mark. */
export const opening = (chunk: Buffer): number | undefined =>
  (chunk[0] === BYTE_ORDER_MARK ? chunk.subarray(3) : chunk).find(byte => byte > 0x20);

/** Yields the chunks that were read ahead, then the rest. */
async function* joined(read: Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* read;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** Returns the first byte of a text, if any, the chunk that has it, and all chunks of the text. */
export const withOpening = async (
  chunks: AsyncIterable<Buffer>,
): Promise<{ first: number | undefined; start: Buffer; all: AsyncGenerator<Buffer> }> => {
  const iterator = chunks[Symbol.asyncIterator]();
  const read: Buffer[] = [];
  let first: number | undefined;
  while (first === undefined) {
    const next = await iterator.next();
    if (next.done) break;
    read.push(next.value);
    first = opening(next.value);
  }
  return { first, start: read.at(-1) ?? Buffer.alloc(0), all: joined(read, iterator) };
};
