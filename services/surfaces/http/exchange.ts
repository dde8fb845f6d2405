import type { IncomingMessage, ServerResponse } from 'node:http';
import { malformed } from '../../../core/errors.ts';
import type { TraceIds } from '../../../core/tracing/calls.ts';
import type { Principal } from '../../../core/use-cases.ts';
import type { Log } from '../../../core/watch/logger.ts';
import type { Metrics } from '../../../core/watch/metrics.ts';
import { asServiceError, errorAnswer } from './answer/error-answer.ts';
import { send } from './answer/send-answer.ts';
import { correlationIdOf } from './request/correlation.ts';
import { ClientGone } from './request/request-body.ts';

/** The state of a request in progress. */
export interface Exchange {
  requestId: string;
  /** The endpoint's path as declared; `unmatched` when there is none. */
  route: string;
  quiet: boolean;
  /** Answered with a stream, from which a client may disconnect at any time. */
  isStream: boolean;
  principal: Principal | undefined;
  /** The span of the request, where one was begun. */
  trace: TraceIds | undefined;
  /** Called when its answer is sent or its client is gone. */
  whenOver: (() => void)[];
}

const EXCHANGE = Symbol('exchange');
type Carrying = ServerResponse & { [EXCHANGE]: Exchange };

export const exchangeOf = (response: ServerResponse): Exchange => (response as Carrying)[EXCHANGE];

/** Returns the status of an exchange that is over; 499: its client left before the end of the answer. */
export const statusOf = (response: ServerResponse): number =>
  response.writableFinished || exchangeOf(response).isStream ? response.statusCode : 499;

interface Options {
  log: Log;
  metrics: Metrics;
  /** Unix milliseconds. */
  clock: () => number;
}

/** The steps that every exchange has in common: it begins, may be refused, and is logged and counted. */
export const makeExchanges = ({ log, metrics, clock }: Options) => {
  const end = (request: IncomingMessage, response: ServerResponse, started: number): void => {
    const { requestId, route, quiet, principal, trace, whenOver } = exchangeOf(response);
    for (const work of whenOver) work();
    const ms = performance.now() - started;
    const { method = '' } = request;
    const status = statusOf(response);
    metrics.requestEnded({ method, route, status, seconds: ms / 1_000 });
    const line = {
      request_id: requestId,
      method,
      route,
      status,
      ms: Math.round(ms * 100) / 100,
      org_id: principal?.orgId,
      key_id: principal?.keyId,
      ...trace,
    };
    if (quiet) log.debug(line, 'request');
    else log.info(line, 'request');
  };

  return {
    begin: (request: IncomingMessage, response: ServerResponse): void => {
      const requestId = correlationIdOf(request);
      const exchange: Exchange = {
        requestId,
        route: 'unmatched',
        quiet: false,
        isStream: false,
        principal: undefined,
        trace: undefined,
        whenOver: [],
      };
      (response as Carrying)[EXCHANGE] = exchange;
      response.setHeader('X-Correlation-ID', requestId);
      metrics.requestBegan();
      const started = performance.now();
      response.on('close', () => end(request, response, started));
      if (request.headers.host === undefined && request.httpVersion !== '1.0')
        throw malformed('The header Host is missing.', {
          loc: ['header', 'Host'],
          type: 'missing',
          message: 'is required',
        });
    },

    refuse: (response: ServerResponse, error: unknown): void => {
      if (error instanceof ClientGone) return;
      const { requestId, route } = exchangeOf(response);
      const known = asServiceError(error);
      metrics.requestRefused(known.code);
      if (known.code === 'internal') {
        log.error({ request_id: requestId, route, err: known.cause ?? known }, 'a request failed');
      } else if (known.code === 'unavailable') {
        log.warn({ request_id: requestId, route, err: known }, 'a request met an outage');
      }
      // Headers are sent; aborting is the only error signal left.
      if (response.headersSent && !response.writableEnded) response.destroy();
      else send(response, errorAnswer(known, requestId, clock()));
    },
  };
};
