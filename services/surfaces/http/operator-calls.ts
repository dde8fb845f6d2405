import { once } from 'node:events';
import type { Request, RequestHandler, Response } from 'express';
import { ServiceError } from '../../core/errors.ts';
import type { OperatorCalls } from '../../core/ports/operator-calls.ts';
import type { Log } from '../../core/watch/logger.ts';

/**
 * `POST /calls/:name` with the call's arguments: JSON Lines as the call yields them, then a last line with
 * the outcome, `{ "end": null }` or `{ "end": { code, message } }`. The call is aborted when the client
 * disconnects or the server closes.
 */
export const operatorCallHandler =
  (calls: OperatorCalls, log: Log, closing: AbortSignal): RequestHandler =>
  async (request: Request, response: Response) => {
    const name = String(request.params.name);
    const call = Object.hasOwn(calls, name) ? calls[name] : undefined;
    if (!call)
      throw new ServiceError('not_found', `This server has no call ${name}: is it another build?`);
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    response.setHeader('Content-Type', 'application/x-ndjson');
    response.flushHeaders();
    const write = (line: object): boolean => response.write(`${JSON.stringify(line)}\n`);
    try {
      const signal = AbortSignal.any([gone.signal, closing]);
      // Backpressure: a slow client must not fill memory.
      for await (const line of call(request.body ?? {}, signal))
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
