import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from '../endpoint.ts';
import { sendHead } from './send-answer.ts';

/** A client that reads nothing for this long is disconnected, because its unread data is held in memory. */
const PATIENCE_MS = 60_000;

/** Resolves when everything written has left this process, or the connection is closed. */
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
 * Streams an answer at the client's pace: the next piece is pulled when the previous one has left. Rejects if
 * the pieces throw.
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
    // A buffering proxy would delay the pieces.
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
