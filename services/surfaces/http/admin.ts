import { once } from 'node:events';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { ServiceError } from '../../../core/errors.ts';
import type { OperatorCalls } from '../../../core/operator/calls.ts';
import type { Log } from '../../../core/watch/logger.ts';

export interface AdminOptions {
  calls: OperatorCalls;
  log: Log;
  /** Aborted when the server is closing. */
  closing: AbortSignal;
}

/**
 * Answers a call with JSON Lines as it yields them, then a last line with the outcome, `{ "end": null }` or
 * `{ "end": { code, message } }`. The call is aborted when the client disconnects or the server closes.
 */
const answerCall =
  ({ calls, log, closing }: AdminOptions): RequestHandler =>
  async (request, response) => {
    const name = String(request.params.name);
    if (!Object.hasOwn(calls, name))
      throw new ServiceError('not_found', `This server has no call ${name}: is it another build?`);
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    response.setHeader('Content-Type', 'application/x-ndjson');
    response.flushHeaders();
    const write = (line: object): boolean => response.write(`${JSON.stringify(line)}\n`);
    try {
      const signal = AbortSignal.any([gone.signal, closing]);
      // Backpressure: a slow client must not fill memory.
      for await (const line of calls[name as keyof OperatorCalls](request.body ?? {}, signal))
        if (!write({ line })) await once(response, 'drain', { signal: gone.signal });
      write({
        end: closing.aborted ? { code: 'unavailable', message: 'The server closed during the call.' } : null,
      });
    } catch (error) {
      const known = error instanceof ServiceError;
      if (!known && !gone.signal.aborted) log.error({ call: name, err: error }, 'an operator call failed');
      write({
        end: known
          ? { code: error.code, message: error.message }
          : { code: 'internal', message: 'Something went wrong; see the server log.' },
      });
    }
    response.end();
  };

/**
 * The operator's API, served only on a socket in the data folder: `POST /calls/:name` with the call's
 * arguments.
 */
export const makeAdminApp = (options: AdminOptions): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.use(express.json({ limit: '16kb' }));
  app.post('/calls/:name', answerCall(options));
  const onError: ErrorRequestHandler = (error, _request, response, _next) => {
    const known = error instanceof ServiceError;
    if (!known) options.log.error({ err: error }, 'an operator call failed');
    response
      .status(known ? error.status : 500)
      .json({ message: known ? error.message : 'Something went wrong.' });
  };
  app.use(onError);
  return app;
};
