import { once } from 'node:events';
import type { Request, RequestHandler, Response } from 'express';
import { ServiceError } from '../../core/errors.ts';
import type { OperatorCalls } from '../../core/ports/operator-calls.ts';
import type { Log } from '../../core/watch/logger.ts';

/**
 * `POST /calls/:name` with the call's arguments: JSON Lines as the call yields them, then a last line that says how it
 * ended, `{ "end": null }` or `{ "end": { code, message } }`. When the asker hangs up, or the server closes, the call is
 * told to end.
 */
export const operatorCallHandler =
  (calls: OperatorCalls, log: Log, closing: AbortSignal): RequestHandler =>
  async (request: Request, response: Response) => {
    const name = String(request.params.name);
    const call = Object.hasOwn(calls, name) ? calls[name] : undefined;
    if (!call)
      throw new ServiceError('not_found', `This server knows no call ${name}: is it an older release?`);
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    response.setHeader('Content-Type', 'application/x-ndjson');
    response.flushHeaders();
    const say = (line: object): boolean => response.write(`${JSON.stringify(line)}\n`);
    try {
      const signal = AbortSignal.any([gone.signal, closing]);
      // What the asker is slow to read is not gathered here.
      for await (const line of call(request.body ?? {}, signal))
        if (!say({ line })) await once(response, 'drain', { signal: gone.signal });
      say({
        end: closing.aborted ? { code: 'unavailable', message: 'The server was closed meanwhile.' } : null,
      });
    } catch (error) {
      const known = error instanceof ServiceError;
      if (!known && !gone.signal.aborted) log.error({ call: name, err: error }, 'an operator call failed');
      say({
        end: known
          ? { code: error.code, message: error.message }
          : { code: 'internal', message: 'Something went wrong; the log of the server says what.' },
      });
    }
    response.end();
  };
