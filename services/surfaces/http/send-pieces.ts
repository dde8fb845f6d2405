import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from './endpoint.ts';
import { sendHead } from './send.ts';

/** Who reads nothing for as long is cut off: what it was to read is held for it. */
const PATIENCE_MS = 60_000;

/** Until all that was written has left this process, or the connection. */
const drained = (response: ServerResponse, patienceMs: number): Promise<void> =>
  new Promise(resolve => {
    const end = (): void => {
      clearTimeout(late);
      response.off('drain', end).off('close', end);
      resolve();
    };
    const late = setTimeout(() => {
      response.destroy();
      end();
    }, patienceMs);
    response.once('drain', end).once('close', end);
  });

/**
 * Sends an answer piece by piece, at the pace of its reader: the next piece is asked for when the last has left. Rejects
 * with what the pieces threw.
 */
export const sendPieces = async (
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer & { pieces: AsyncIterable<string> },
  patienceMs = PATIENCE_MS,
): Promise<void> => {
  const pieces = answer.pieces[Symbol.asyncIterator]();
  try {
    let next = await pieces.next();
    if (response.destroyed) return;
    sendHead(response, answer);
    response.setHeader('Content-Type', answer.contentType ?? 'application/x-ndjson');
    // A proxy that gathers pieces would keep them from who waits for them.
    response.setHeader('X-Accel-Buffering', 'no');
    if (request.method !== 'HEAD') {
      response.flushHeaders();
      for (; !next.done && !response.destroyed; next = await pieces.next())
        if (!response.write(next.value)) await drained(response, patienceMs);
    }
    response.end();
  } finally {
    await pieces.return?.();
  }
};
