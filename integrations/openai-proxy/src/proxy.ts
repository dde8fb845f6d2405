/** A proxy in front of an OpenAI-compatible endpoint that gives its chats a memory. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readChat } from './chat.ts';
import { type MemoryOptions, makeMemory } from './memory.ts';
import { makeReply } from './reply.ts';
import { forward, passBack } from './upstream.ts';

const BASE = '/v1';
const CHAT = `${BASE}/chat/completions`;
const MOST_CONNECTIONS = 1_000;
/** Milliseconds in which a request has to arrive. */
const REQUEST_TIMEOUT_MS = 60_000;

export interface ProxyOptions
  extends Pick<MemoryOptions, 'turnstoneUrl' | 'apiKey'>,
    Partial<Pick<MemoryOptions, 'patienceMs' | 'contextMaxTokens' | 'log'>> {
  /** The base URL that a client would have: `https://api.example.com/v1`. */
  upstreamUrl: string;
  /** Default: 127.0.0.1. On any other address every caller sends a Turnstone key of its own. */
  host?: string;
  /** Default: any free one. */
  port?: number;
  /** Milliseconds without a byte from the upstream. Default: ten minutes. */
  upstreamTimeoutMs?: number;
  /** Maximum bytes of a chat. Default: 16 MiB. */
  maxBodyBytes?: number;
  /** Maximum bytes of all chats in progress. Default: 256 MiB. */
  maxHeldBytes?: number;
}

export interface Proxy {
  /** To be given to a client as its base URL. */
  url: string;
  /** Ends the answers in progress, then stores what was said in them. */
  close(): Promise<void>;
}

/** Tells a failure in the form of the API, which clients turn into their own errors. */
const refuse = (response: ServerResponse, status: number, type: string, message: string): void => {
  const body = JSON.stringify({ error: { message, type, param: null, code: null } });
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(body);
};

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(host);

/** Reads a body; undefined once there is no room for it. */
const bodyOf = async (request: IncomingMessage, hasRoom: (bytes: number) => boolean) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    if (!hasRoom(chunk.length)) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** Starts the proxy; resolves when it listens. */
export const startProxy = async (options: ProxyOptions): Promise<Proxy> => {
  const { turnstoneUrl, host = '127.0.0.1', port = 0, log = () => {} } = options;
  const { patienceMs = 2_000, contextMaxTokens = 800, maxBodyBytes = 16 * 1024 * 1024 } = options;
  const { upstreamTimeoutMs: timeoutMs = 600_000, maxHeldBytes = 256 * 1024 * 1024 } = options;
  const upstreamUrl = options.upstreamUrl.replace(/\/+$/, '');
  const apiKey = isLoopback(host) ? options.apiKey : undefined;
  const memory = makeMemory({ turnstoneUrl, apiKey, patienceMs, contextMaxTokens, log });

  let held = 0;

  const chat = async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    const askedAt = new Date();
    let own = 0;
    try {
      const body = await bodyOf(request, bytes => {
        own += bytes;
        held += bytes;
        return own <= maxBodyBytes && held <= maxHeldBytes;
      });
      if (!body && own > maxBodyBytes)
        return refuse(response, 413, 'invalid_request_error', 'It is too large.');
      if (!body) return refuse(response, 503, 'server_error', 'Too many requests are in progress.');
      const asked = readChat(body);
      const recalled = await memory.recall(asked?.question, request.headers);
      const told = asked && recalled.context !== '' ? asked.withContext(recalled.context) : body;
      const answer = await forward(request, response, url, { body: told, timeoutMs });
      const reply = makeReply(answer.headers['content-type']);
      answer.on('data', chunk => reply.add(chunk));
      await passBack(answer, response, [['x-turnstone-memory', recalled.header]]);
      if (asked && answer.statusCode === 200)
        recalled.remember?.(asked.isNew ? asked.question : '', askedAt, reply.text());
    } finally {
      held -= own;
    }
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // A web page could otherwise write to the memory of whoever opens it.
    const { origin, host: name = '' } = request.headers;
    if (origin !== undefined || (isLoopback(host) && !isLoopback(name.replace(/:\d+$/, ''))))
      return refuse(response, 403, 'permission_error', 'Requests from web pages are refused.');
    const { pathname, search } = new URL(request.url ?? '', 'http://localhost');
    if (!pathname.startsWith(`${BASE}/`))
      return refuse(response, 404, 'invalid_request_error', `The base URL ends in ${BASE}.`);
    const url = new URL(upstreamUrl + pathname.slice(BASE.length) + search);
    if (request.method === 'POST' && pathname === CHAT) return chat(request, response, url);
    await passBack(await forward(request, response, url, { timeoutMs }), response);
  };

  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    answer(request, response).catch(error => {
      // The caller has hung up, or got the beginning of an answer that can't be completed.
      if (response.headersSent || response.destroyed) return response.destroy();
      log({ msg: 'the upstream failed', code: (error as NodeJS.ErrnoException).code ?? 'no_answer' });
      refuse(response, 502, 'upstream_error', 'The upstream does not answer.');
    });
  });
  server.maxConnections = MOST_CONNECTIONS;
  await once(server.listen(port, host), 'listening');
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}${BASE}`,
    close: async () => {
      server.close();
      server.closeIdleConnections();
      await once(server, 'close');
      await memory.settled();
    },
  };
};
