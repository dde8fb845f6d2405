/**
 * A server that answers as it is told to, also wrongly: late, in part, or not at all. The clients are held to
 * clients/behaviours.json on it.
 *
 * `node test/clients/misbehaving-server.ts` prints `misbehaving on http://127.0.0.1:PORT` and runs until its
 * stdin closes. `POST /-/script` with a `Script` begins anew; `GET /-/seen` answers the requests since then,
 * in the order of their arrival.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { pause } from '../support/wait.ts';

export interface ScriptedAnswer {
  /** Default: 200. */
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, as `text/html` where `headers` don't say otherwise. */
  text?: string;
  /** Milliseconds before it begins. */
  delay_ms?: number;
  /** The connection is reset: before anything is sent, or after the headers. */
  reset?: 'before_headers' | 'after_headers';
  /** So many bytes of the body are sent, of all that were announced; then the connection is reset. */
  cut_after?: number;
  /** Nothing is ever sent. */
  silent?: true;
  /** Server-sent events: each piece, as text or, if cut in a letter, as bytes; and how the stream ends. */
  stream?: ({ text: string } | { base64: string } | { pause_ms: number })[];
  then?: 'end' | 'reset' | 'hold';
}

/** Answers by `METHOD /path` without its query, one after the other; when they have run out, 418. */
export interface Script {
  answers: Record<string, ScriptedAnswer[]>;
}

export interface Seen {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string | string[] | undefined>;
  /** Parsed; as text where it is no JSON, null without one. */
  body: unknown;
}

export interface MisbehavingServer {
  url: string;
  script(script: Script): void;
  seen(): Seen[];
  /** Answers that are begun and not ended, whose connection is open. */
  streams(): number;
  close(): Promise<void>;
}

const parsed = (text: string): unknown => {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const reset = (response: ServerResponse): void => void response.socket?.resetAndDestroy();

/** Until what was written has left, or the connection has. */
const written = (response: ServerResponse, piece: string | Buffer): Promise<void> =>
  new Promise(resolve => void response.write(piece, () => resolve()));

const sendStream = async (response: ServerResponse, answer: ScriptedAnswer): Promise<void> => {
  response.writeHead(answer.status ?? 200, { 'content-type': 'text/event-stream', ...answer.headers });
  response.flushHeaders();
  for (const piece of answer.stream ?? []) {
    if ('pause_ms' in piece) await pause(piece.pause_ms);
    else await written(response, 'text' in piece ? piece.text : Buffer.from(piece.base64, 'base64'));
  }
  // The pieces must have arrived before the reset that overtakes them.
  if (answer.then === 'reset') await pause(20).then(() => reset(response));
  else if (answer.then !== 'hold') response.end();
};

const send = async (response: ServerResponse, answer: ScriptedAnswer): Promise<void> => {
  if (answer.delay_ms) await pause(answer.delay_ms);
  if (answer.silent) return;
  if (answer.reset === 'before_headers') return reset(response);
  if (answer.stream) return sendStream(response, answer);
  const body = Buffer.from(answer.text ?? (answer.body === undefined ? '' : JSON.stringify(answer.body)));
  response.writeHead(answer.status ?? 200, {
    ...(body.length > 0 && { 'content-type': answer.text === undefined ? 'application/json' : 'text/html' }),
    ...(answer.status !== 204 && { 'content-length': body.length }),
    ...answer.headers,
  });
  if (answer.reset === 'after_headers' || answer.cut_after !== undefined) {
    response.flushHeaders();
    if (answer.cut_after) await written(response, body.subarray(0, answer.cut_after).toString());
    await pause(20);
    return reset(response);
  }
  response.end(body);
};

export const startMisbehavingServer = async (): Promise<MisbehavingServer> => {
  let answers: Record<string, ScriptedAnswer[]> = {};
  let seen: Seen[] = [];
  let streams = 0;

  const script = (next: Script): void => {
    answers = structuredClone(next.answers);
    seen = [];
  };

  const nextAnswer = (route: string): ScriptedAnswer =>
    answers[route]?.shift() ?? { status: 418, text: `nothing is scripted for ${route}` };

  const control = (request: IncomingMessage, response: ServerResponse, body: string): void => {
    if (request.method === 'POST') script(JSON.parse(body) as Script);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(seen));
  };

  const server = createServer(async (request, response) => {
    response.on('error', () => {});
    const { method = '', url = '', headers } = request;
    const text = await textOf(request).catch(() => '');
    if (url.startsWith('/-/')) return control(request, response, text);
    seen.push({ method, path: url, headers, body: parsed(text) });
    streams++;
    response.once('close', () => streams--);
    await send(response, nextAnswer(`${method} ${url.split('?')[0]}`));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    script,
    seen: () => seen,
    streams: () => streams,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close').catch(() => undefined);
    },
  };
};

if (import.meta.main) {
  const { url } = await startMisbehavingServer();
  console.log(`misbehaving on ${url}`);
  process.stdin.on('end', () => process.exit(0)).resume();
}
