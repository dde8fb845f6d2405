import type { IncomingMessage } from 'node:http';
import { LIMITS } from '../../../../schemas/http/ingestion.ts';

/** How long and how far the rest of a body is discarded once its answer was sent. */
const LINGER_MS = 2_000;
const LINGER_BYTES = LIMITS.bodyBytes;
const LOOK_EVERY_MS = 50;

/**
 * Ends the connection of a request that was answered before its body was complete. Many clients read no
 * answer before they have sent everything, and a connection that is closed at once would take theirs away. So
 * Node discards the rest as it arrives: up to the size of the largest valid body, for two seconds. What is
 * complete by then keeps its connection.
 */
export const lingerThenClose = (request: IncomingMessage): void => {
  const { socket } = request;
  const until = performance.now() + LINGER_MS;
  const most = socket.bytesRead + LINGER_BYTES;
  // Node emits no data of a request that it discards: the socket's count is all there is.
  const look = setInterval(() => {
    if (request.complete || socket.destroyed) clearInterval(look);
    else if (performance.now() >= until || socket.bytesRead > most) socket.destroy();
  }, LOOK_EVERY_MS).unref();
};
