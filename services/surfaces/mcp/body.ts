import type { IncomingMessage } from 'node:http';
import type { Refusal } from './guard.ts';

/** The error code of JSON-RPC. */
const PARSE_ERROR = -32_700;

/** Reads a request's body as JSON. An oversized body is read to its end, so that the sender can read the answer. */
export const readJson = async (
  request: IncomingMessage,
  mostBytes: number,
): Promise<{ ok: true; value: unknown } | { ok: false; refusal: Refusal }> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes <= mostBytes) chunks.push(chunk);
      else chunks.length = 0;
    }
    if (bytes <= mostBytes) return { ok: true, value: JSON.parse(Buffer.concat(chunks).toString()) };
    const message = `The body must have at most ${mostBytes} bytes.`;
    return { ok: false, refusal: { status: 413, message } };
  } catch {
    // Or the sender disconnected and reads no answer.
    return { ok: false, refusal: { status: 400, code: PARSE_ERROR, message: 'The body is not JSON.' } };
  }
};
