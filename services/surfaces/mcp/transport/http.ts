import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Log } from '../../../../core/watch/logger.ts';
import { answerOf, type Client } from '../../client/client.ts';
import { isLoopback } from '../../client/connection.ts';
import { EXIT, isFailure } from '../../client/exit.ts';
import { fittingConnections } from '../../http/connection/connections.ts';
import { drain, listen } from '../../http/connection/listen.ts';
import { makeHttpServer } from '../../http/connection/server.ts';
import { inWords } from '../faults.ts';
import { readUntriedJson } from './body.ts';
import { digestOf, keyOf, type Refusal, refusedPage } from './guard.ts';
import { makeSessions, type Sessions } from './sessions.ts';
import { makeWrongKeys } from './wrong-keys.ts';

const PATH = '/mcp';
/** The service's limit of a body, in bytes. */
const MOST_BODY_BYTES = 4 * 1024 * 1024;
/** Room for several connections of each session. */
const MOST_CONNECTIONS = 10_000;
const MOST_SESSIONS = 1_000;
/** Limit per key: a caller that keeps starting sessions displaces only its own. */
const MOST_SESSIONS_OF_KEY = 100;
const IDLE_MS = 30 * 60_000;
const SWEEP_MS = 60_000;

export interface HttpOptions {
  host: string;
  /** 0: any free port. */
  port: number;
  clientOf: (apiKey: string, forwardedFor: string) => Client;
  serverOf: (client: Client) => McpServer;
  /** Unix milliseconds. */
  clock: () => number;
  log: Log;
}

export interface RunningHttp {
  url: string;
  /** Finishes the requests in flight, then ends the sessions. */
  close(): Promise<void>;
}

interface Session {
  transport: StreamableHTTPServerTransport;
  close(): Promise<void>;
}

/** Sends a refusal in JSON-RPC's form. */
const refuse = (response: ServerResponse, { status, message, headers = {}, ...refusal }: Refusal): void => {
  const { code = status === 404 ? -32_001 : -32_000 } = refusal;
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
};

/** Returns the reason why a session can't begin: a rejected or missing key, or an unreachable service. */
const refusalOf = (error: unknown): Refusal | undefined => {
  const message = inWords(error);
  if (!isFailure(error) || message === undefined) return undefined;
  const answer = answerOf(error);
  if (answer?.status === 429)
    return {
      status: 429,
      message,
      headers: { 'Retry-After': String(Math.ceil(answer.retryAfter ?? 0)) },
    };
  if (error.exitStatus === EXIT.unavailable) return { status: 503, message, headers: { 'Retry-After': '5' } };
  return { status: 401, message, headers: { 'WWW-Authenticate': 'Bearer' } };
};

/** Returns the refusal of a key that Turnstone counts as wrong: an unknown or revoked one. */
const refusalOfKey = (error: unknown): Refusal | undefined =>
  [401, 403].includes(answerOf(error)?.status ?? 0) ? refusalOf(error) : undefined;

const METHODS = ['GET', 'POST', 'DELETE'];
const UNKNOWN_METHOD: Refusal = {
  status: 405,
  message: 'Method not allowed.',
  headers: { Allow: METHODS.join(', ') },
};
const NO_SESSION: Refusal = { status: 400, message: 'The Mcp-Session-Id header is missing.' };

const callerOf = ({ headers, socket }: IncomingMessage): string =>
  [headers['x-forwarded-for'], socket.remoteAddress].flat().filter(Boolean).join(', ');

/**
 * Begins a session if the transport accepts the request as its start; otherwise keeps nothing. The key is
 * tried only for an initialize request, because Turnstone counts wrong keys.
 */
const makeBegin = ({ clientOf, serverOf, clock, log }: HttpOptions, sessions: Sessions<Session>) => {
  const tryKey = makeWrongKeys(clock);

  return async (request: IncomingMessage, response: ServerResponse, key: string): Promise<void> => {
    const body = await readUntriedJson(request);
    if (!body.ok) return refuse(response, body.refusal);
    if (![body.value].flat().some(isInitializeRequest)) return refuse(response, NO_SESSION);
    const client = clientOf(key, callerOf(request));
    const tried = await tryKey({
      keyDigest: digestOf(key),
      attempt: () => client.me(),
      refusal: refusalOfKey,
    });
    if (!tried.ok) return refuse(response, tried.refusal);
    // A disconnected client never learns of the session, and its `close` event, which ends the use below, has
    // already fired.
    if (response.closed) return;
    const server = serverOf(client);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: MOST_BODY_BYTES,
      onsessioninitialized: id => {
        sessions.add(id, { transport, close: () => server.close() }, digestOf(key));
        log.info({ org_id: tried.value.org_id }, 'mcp session begun');
        response.once('close', sessions.used(id));
      },
    });
    server.server.onclose = () => {
      if (transport.sessionId !== undefined) sessions.remove(transport.sessionId);
    };
    await server.connect(transport);
    await transport.handleRequest(request, response, body.value);
    if (transport.sessionId === undefined) await server.close();
  };
};

/**
 * Returns the request handler: it refuses requests that are not the protocol's or have no key, begins
 * sessions, and passes the other requests to their sessions.
 */
const makeAnswer = (options: HttpOptions, sessions: Sessions<Session>) => {
  const loopback = isLoopback(options.host);
  const begin = makeBegin(options, sessions);

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const page = refusedPage(request.headers, { loopback });
    if (page) return refuse(response, page);
    if (URL.parse(request.url ?? '', 'http://localhost')?.pathname !== PATH)
      return refuse(response, { status: 404, message: `The path is ${PATH}.` });
    if (!METHODS.includes(request.method ?? '')) return refuse(response, UNKNOWN_METHOD);
    const caller = keyOf(request.headers);
    if (!caller.ok) return refuse(response, caller.refusal);
    const { key } = caller;

    const id = request.headers['mcp-session-id'];
    if (id === undefined) {
      if (request.method === 'POST') return begin(request, response, key);
      return refuse(response, NO_SESSION);
    }
    const session = sessions.find(String(id), digestOf(key));
    if (!session) return refuse(response, { status: 404, message: 'Session not found' });
    response.once('close', sessions.used(String(id)));
    await session.transport.handleRequest(request, response);
  };
};

/**
 * Serves the protocol's streamable HTTP at `/mcp`: one session per client, bound to the API key that began it
 * and using that key for every call. Rejects with the system error when it can't listen.
 */
export const serveHttp = async (options: HttpOptions): Promise<RunningHttp> => {
  const { clock, log } = options;
  const sessions = makeSessions<Session>({
    most: MOST_SESSIONS,
    mostOfKey: MOST_SESSIONS_OF_KEY,
    idleMs: IDLE_MS,
    clock,
    onFault: err => log.error({ err }, 'an mcp session could not be closed'),
  });
  const answer = makeAnswer(options, sessions);

  const server = makeHttpServer((request, response) => {
    answer(request, response).catch(err => {
      const refusal = refusalOf(err);
      if (refusal === undefined) log.error({ err }, 'an mcp request failed');
      if (response.headersSent) response.destroy();
      else refuse(response, refusal ?? { status: 500, message: 'Internal server error; see the log.' });
    });
  });
  server.maxConnections = fittingConnections(MOST_CONNECTIONS);
  await listen(server, options);
  const sweep = setInterval(() => void sessions.closeIdle(), SWEEP_MS).unref();

  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}${PATH}`,
    close: async () => {
      clearInterval(sweep);
      // These streams end only with their session; answers in flight end on their own.
      for (const { transport } of sessions.all()) transport.closeStandaloneSSEStream();
      await drain(server);
      await Promise.all(sessions.all().map(session => session.close()));
    },
  };
};
