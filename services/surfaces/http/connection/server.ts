import { randomUUID } from 'node:crypto';
import type { RequestListener, Server } from 'node:http';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { malformed, ServiceError } from '../../../../core/errors.ts';
import { errorAnswer } from '../answer/error-answer.ts';
import { lingerThenClose } from './linger.ts';

// An ES import reads every export, and one of them loads a whole HTTP client: 50 ms of startup.
export const { createServer }: typeof import('node:http') = createRequire(import.meta.url)('node:http');

/** Time limits for a request's headers and for the whole request. */
const HEAD_MS = 10_000;
const REQUEST_MS = 60_000;
const CHECK_EVERY_MS = 2_000;
/** Longer than the idle timeout of common proxies, so that the proxies close idle connections first. */
const KEEP_ALIVE_MS = 65_000;

const REFUSALS: Record<string, [status: number, phrase: string, error: ServiceError]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [
    408,
    'Request Timeout',
    new ServiceError('malformed', 'The request took too long to arrive.'),
  ],
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    new ServiceError('malformed', 'The headers of the request are too large.'),
  ],
};
const NOT_HTTP: [number, string, ServiceError] = [
  400,
  'Bad Request',
  malformed('The request is not HTTP.', { loc: ['request'], type: 'http', message: 'must be HTTP/1.1' }),
];

/** Answers input that never became a request, in the contract's form, and closes the connection. */
const refuse = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, phrase, refusal] = REFUSALS[error.code ?? ''] ?? NOT_HTTP;
  const requestId = randomUUID();
  const { body } = errorAnswer(refusal, requestId, Date.now());
  const text = JSON.stringify({ ...body, error: `HTTP ${status}` });
  socket.end(
    `HTTP/1.1 ${status} ${phrase}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nX-Correlation-ID: ${requestId}\r\nConnection: close\r\n\r\n${text}`,
  );
};

/**
 * A server that slow, broken or idle clients can't block. Once it is closing, each connection ends after the
 * answer in flight: keep-alive clients must not delay the close.
 */
export const makeHttpServer = (app: RequestListener): Server => {
  const listener: RequestListener = (request, response) => {
    if (!server.listening) response.setHeader('Connection', 'close');
    response.once('finish', () => {
      if (!request.complete) lingerThenClose(request);
      if (!server.listening) request.socket.end();
    });
    app(request, response);
  };
  const server = createServer(
    {
      headersTimeout: HEAD_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      // The app rejects a missing Host header, in the contract's form.
      requireHostHeader: false,
    },
    listener,
  );
  // Ignore unknown Expect headers instead of answering 417.
  server.on('checkExpectation', listener);
  server.on('clientError', refuse);
  return server;
};
