import type { RequestListener } from 'node:http';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { ServiceError } from '../../../core/errors.ts';
import type { CursorSeal } from '../../../core/sealed-cursors.ts';
import type { UseCases } from '../../../core/use-cases.ts';
import type { Log } from '../../../core/watch/logger.ts';
import type { Metrics } from '../../../core/watch/metrics.ts';
import type { Accounts } from '../../use-cases/accounts/accounts.ts';
import type { AuditNotes } from '../../use-cases/audit/audit-notes.ts';
import type { RateLimits } from '../../use-cases/limits/rate-limits.ts';
import { send } from './answer/send-answer.ts';
import { makeDirect } from './direct.ts';
import type { Endpoint } from './endpoint.ts';
import { exchangeOf, makeExchanges } from './exchange.ts';
import { makeClientAddress } from './request/client-address.ts';
import { accountEndpoints } from './routes/accounts.ts';
import { authEndpoints } from './routes/auth.ts';
import { curationEndpoints } from './routes/curation.ts';
import { docsEndpoints } from './routes/docs.ts';
import { erasureEndpoints } from './routes/erasure.ts';
import { feedEndpoints, webhookEndpoints } from './routes/feed.ts';
import { ingestionEndpoints } from './routes/ingestion.ts';
import { memoryEndpoints } from './routes/memory.ts';
import { nameEndpoints } from './routes/names.ts';
import { documentEndpoint, healthEndpoints, metricsEndpoint } from './routes/ops.ts';
import { recallEndpoints } from './routes/recall.ts';
import { usageEndpoints } from './routes/usage.ts';
import { makeServe } from './serve-endpoint.ts';

export interface AppOptions {
  useCases: UseCases;
  accounts: Accounts;
  cursors: CursorSeal;
  log: Log;
  metrics: Metrics;
  /** Default: none. */
  rateLimits?: RateLimits;
  /** Takes what is noted of calls; default: nothing is. */
  notes?: Pick<AuditNotes, 'note'>;
  /** Unix milliseconds, for the timestamps of error bodies; default: the machine's clock. */
  clock?: () => number;
  /** Aborted when the service closes: ends all streams. */
  closing?: AbortSignal;
  config: {
    /** Addresses or ranges whose `X-Forwarded-For` is trusted. */
    trustedProxies: readonly string[];
    /** Milliseconds that a use case may take; set by tests. */
    deadlineMs?: number;
    /** Whether requests of the exact shape are served without express; default: yes. Set by tests. */
    direct?: boolean | undefined;
    /** Where `GET /metrics` is: not on this port, if it has its own; and the token that it needs. */
    metrics?: { elsewhere: boolean; token?: string | undefined };
  };
}

/** Returns the endpoints that every role serves. */
export const opsEndpoints = ({ useCases, metrics, config, clock = Date.now }: AppOptions): Endpoint[] => [
  ...healthEndpoints(useCases, clock),
  ...(config.metrics?.elsewhere ? [] : [metricsEndpoint(metrics, config.metrics?.token)]),
];

const contractEndpoints = ({ accounts, useCases }: AppOptions): Endpoint[] => [
  ...ingestionEndpoints(useCases),
  ...recallEndpoints(useCases),
  ...feedEndpoints(useCases),
  ...curationEndpoints(useCases),
  ...nameEndpoints(useCases),
  ...erasureEndpoints(useCases),
  ...memoryEndpoints(useCases.lists),
  ...usageEndpoints(useCases),
  ...authEndpoints(accounts),
  ...accountEndpoints(accounts),
  ...webhookEndpoints(useCases),
  documentEndpoint(),
  ...docsEndpoints(),
];

export const endpointsOf = (options: AppOptions): Endpoint[] => [
  ...contractEndpoints(options),
  ...opsEndpoints(options),
];

const allowOf = (method: Endpoint['method']): string[] =>
  method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()];

/** The contract over HTTP. Checks in this order: 404 and 405, 401, 403, 400 and 422, then the use case. */
export const makeApp = (options: AppOptions, endpoints = endpointsOf(options)): RequestListener => {
  const { accounts, cursors, log, metrics, rateLimits, notes, config, closing, clock = Date.now } = options;
  const { begin, refuse } = makeExchanges({ log, metrics, clock });
  const { deadlineMs } = config;
  const addressOf = makeClientAddress(config.trustedProxies);
  const serve = makeServe({
    accounts,
    cursors,
    rateLimits,
    notes,
    addressOf,
    refuse,
    closing,
    deadlineMs,
  });

  /** Answers `OPTIONS`, and 405 to every method that the path doesn't have. */
  const answeringOthers =
    (path: string, methods: readonly string[]): RequestHandler =>
    (request, response) => {
      const allow = [...methods, 'OPTIONS'].join(', ');
      exchangeOf(response).route = path;
      response.setHeader('Allow', allow);
      if (request.method === 'OPTIONS') send(response, { status: 204 });
      else refuse(response, new ServiceError('method_not_allowed', `The methods of this path are ${allow}.`));
    };

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  app.use((request, response, next) => {
    begin(request, response);
    next();
  });
  for (const endpoint of endpoints) {
    const serveIt = serve(endpoint);
    app[endpoint.method](endpoint.path, (request, response) =>
      serveIt(request, response, request.params as Record<string, string>),
    );
  }
  const somewhere = endpoints.filter(({ isForNothing }) => !isForNothing);
  for (const [path, those] of Map.groupBy(somewhere, ({ path }) => path)) {
    const methods = those.flatMap(({ method }) => allowOf(method));
    app.all(path, answeringOthers(path, methods));
  }
  app.use((_request, response) => {
    refuse(response, new ServiceError('not_found', 'There is nothing at this path.'));
  });
  const onError: ErrorRequestHandler = (error, _request, response, _next) => refuse(response, error);
  app.use(onError);
  return config.direct === false ? app : makeDirect(endpoints, { begin, serve }, app);
};
