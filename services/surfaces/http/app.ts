import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import type { Check, Checked } from '../../../schemas/ajv.ts';
import type { Role } from '../../../schemas/http/roles.ts';
import { ServiceError } from '../../core/errors.ts';
import type { Principal, UseCases } from '../../core/use-cases.ts';
import type { Log } from '../../core/watch/logger.ts';
import type { Metrics } from '../../core/watch/metrics.ts';
import type { Accounts } from '../../use-cases/accounts/accounts.ts';
import { authenticate } from './bearer.ts';
import { ClientGone, checked, parseJson, readBody } from './body.ts';
import { correlationIdOf } from './correlation.ts';
import { DEADLINE_MS, withinDeadline } from './deadline.ts';
import type { Answer, Call, Endpoint } from './endpoint.ts';
import { asServiceError, errorAnswer } from './error-answer.ts';
import { parseQuery } from './query.ts';
import { accountEndpoints } from './routes/accounts.ts';
import { authEndpoints } from './routes/auth.ts';
import { docsEndpoints } from './routes/docs.ts';
import { erasureEndpoints } from './routes/erasure.ts';
import { feedEndpoints } from './routes/feed.ts';
import { ingestionEndpoints } from './routes/ingestion.ts';
import { memoryEndpoints } from './routes/memory.ts';
import { opsEndpoints } from './routes/ops.ts';
import { recallEndpoints } from './routes/recall.ts';
import { usageEndpoints } from './routes/usage.ts';
import { send } from './send.ts';
import { sendPieces } from './send-pieces.ts';

export interface AppOptions {
  useCases: UseCases;
  accounts: Accounts;
  log: Log;
  metrics: Metrics;
  /** Unix milliseconds, for the timestamps of error bodies; default: the machine's. */
  clock?: () => number;
  /** Aborted when the service closes: ends all streams. */
  closing?: AbortSignal;
  config: {
    /** Addresses or ranges whose `X-Forwarded-For` is trusted. */
    trustedProxies: readonly string[];
    /** Milliseconds that a use case may take; for tests. */
    deadlineMs?: number;
  };
}

/** The state of a request in progress. */
interface Exchange {
  requestId: string;
  /** The endpoint's path as declared; `unmatched` when there is none. */
  route: string;
  quiet: boolean;
  /** Answered with a stream, which a client may leave at any time. */
  isStream: boolean;
  principal: Principal | undefined;
}

const exchangeOf = (response: Response): Exchange => response.locals.exchange;

export const endpointsOf = ({ accounts, useCases, metrics, clock = Date.now }: AppOptions): Endpoint[] => [
  ...ingestionEndpoints(useCases),
  ...recallEndpoints(useCases),
  ...feedEndpoints(useCases),
  ...erasureEndpoints(useCases),
  ...memoryEndpoints(useCases.lists),
  ...usageEndpoints(useCases),
  ...authEndpoints(accounts),
  ...accountEndpoints(accounts),
  ...opsEndpoints(useCases, metrics, clock),
  ...docsEndpoints(),
];

/** The contract over HTTP. Checks in this order: 404 and 405, 401, 403, 400 and 422, then the use case. */
export const makeApp = (options: AppOptions, endpoints = endpointsOf(options)): Express => {
  const { accounts, log, metrics, config, clock = Date.now } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  app.set('trust proxy', config.trustedProxies.length > 0 ? [...config.trustedProxies] : false);

  const end = (request: Request, response: Response, started: number): void => {
    const { requestId, route, quiet, isStream, principal } = exchangeOf(response);
    const ms = performance.now() - started;
    // 499: the client left before it was answered.
    const status = response.writableFinished || isStream ? response.statusCode : 499;
    metrics.requestEnded({ method: request.method, route, status, seconds: ms / 1_000 });
    const line = {
      request_id: requestId,
      method: request.method,
      route,
      status,
      ms: Math.round(ms * 100) / 100,
      org_id: principal?.orgId,
      key_id: principal?.keyId,
    };
    if (quiet) log.debug(line, 'request');
    else log.info(line, 'request');
  };

  const refuse = (response: Response, error: unknown): void => {
    if (error instanceof ClientGone) return;
    const { requestId, route } = exchangeOf(response);
    const known = asServiceError(error);
    if (known.code === 'internal') {
      log.error({ request_id: requestId, route, err: known.cause ?? known }, 'a request failed');
    } else if (known.code === 'unavailable') {
      log.warn({ request_id: requestId, route, err: known }, 'a request met an outage');
    }
    // Headers are sent; aborting is the only error signal left.
    if (response.headersSent && !response.writableEnded) response.destroy();
    else send(response, errorAnswer(known, requestId, clock()));
  };

  /** What a stream needs beyond its call. */
  const lasting = ({ roles }: { roles: readonly Role[] }, request: Request, response: Response) => ({
    lastEventId: request.get('last-event-id'),
    signal: (): AbortSignal => {
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      return options.closing ? AbortSignal.any([gone.signal, options.closing]) : gone.signal;
    },
    isAllowed: async (): Promise<boolean> => {
      try {
        await authenticate(accounts, request, roles);
        return true;
      } catch (error) {
        if (error instanceof ServiceError && error.code !== 'unavailable') return false;
        throw error;
      }
    },
  });

  /** authenticate → read → parse and check → the use case → answer */
  const serve = async (endpoint: Endpoint, request: Request, response: Response): Promise<Answer> => {
    const exchange = exchangeOf(response);
    if (endpoint.access !== 'open') {
      exchange.principal = await withinDeadline(authenticate(accounts, request, endpoint.roles));
    }
    const raw = endpoint.method === 'post' || endpoint.takesBody ? await readBody(request) : undefined;
    const call: Call = {
      params: request.params as Record<string, string>,
      query: <T>(check: (query: URLSearchParams) => Checked<T>): T => checked(check(parseQuery(request.url))),
      context: { correlationId: exchange.requestId },
      address: request.ip ?? '',
      accepts: encoding => request.acceptsEncodings(encoding) === encoding,
      hasQuery: /[?]./s.test(request.url),
      hasBody: raw !== undefined && raw.length > 0,
      body: <T>(check: Check<T>): T => checked(check(parseJson(raw ?? Buffer.alloc(0)))),
    };
    const work =
      endpoint.access === 'open'
        ? endpoint.handle(call)
        : endpoint.handle({
            ...call,
            ...lasting(endpoint, request, response),
            principal: exchange.principal!,
          });
    return withinDeadline(work, config.deadlineMs ?? DEADLINE_MS);
  };

  app.use((request, response, next) => {
    const requestId = correlationIdOf(request);
    const exchange: Exchange = {
      requestId,
      route: 'unmatched',
      quiet: false,
      isStream: false,
      principal: undefined,
    };
    response.locals.exchange = exchange;
    response.setHeader('X-Correlation-ID', requestId);
    metrics.requestBegan();
    const started = performance.now();
    response.once('close', () => end(request, response, started));
    if (request.headers.host !== undefined || request.httpVersion === '1.0') next();
    else refuse(response, new ServiceError('malformed', 'The header Host is missing.'));
  });

  const methods = new Map<string, string[]>();
  for (const endpoint of endpoints) {
    const { method, path } = endpoint;
    methods.set(path, [
      ...(methods.get(path) ?? []),
      ...(method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]),
    ]);
    app[method](path, async (request: Request, response: Response) => {
      const exchange = exchangeOf(response);
      exchange.route = path;
      exchange.quiet = endpoint.quiet === true;
      try {
        const answer = await serve(endpoint, request, response);
        exchange.isStream = answer.pieces !== undefined;
        if (answer.pieces) await sendPieces(request, response, { ...answer, pieces: answer.pieces });
        else send(response, answer);
      } catch (error) {
        refuse(response, error);
      }
    });
  }
  for (const [path, allowed] of methods) {
    const allow = [...allowed, 'OPTIONS'].join(', ');
    app.all(path, (request: Request, response: Response) => {
      exchangeOf(response).route = path;
      response.setHeader('Allow', allow);
      if (request.method === 'OPTIONS') send(response, { status: 204 });
      else refuse(response, new ServiceError('method_not_allowed', `The methods of this path are ${allow}.`));
    });
  }
  app.use((_request, response) => {
    refuse(response, new ServiceError('not_found', 'There is nothing at this path.'));
  });
  const onError: ErrorRequestHandler = (error, _request, response, _next) => refuse(response, error);
  app.use(onError);
  return app;
};
