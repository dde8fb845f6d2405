/** An endpoint of OpenAI's form, whose answers a test sets, and that keeps what it was sent. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Sent {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Resolves when the answer has ended, or the caller has hung up. */
  closed: Promise<unknown>;
}

export type Answer = (response: ServerResponse, sent: Sent) => void;

export interface Upstream {
  /** To be given as the base URL. */
  url: string;
  sent: Sent[];
  answer: Answer;
  close(): void;
}

export const json =
  (status: number, body: unknown): Answer =>
  response => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_1' });
    response.end(JSON.stringify(body));
  };

export const completion = (message: object): Answer =>
  json(200, {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', refusal: null, ...message }, finish_reason: 'stop' }],
  });

/** Sends pieces of a stream, each by itself. */
export const streamed =
  (pieces: readonly (string | Uint8Array)[]): Answer =>
  async response => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    for (const piece of pieces)
      await new Promise(resolve => response.write(piece, () => setImmediate(resolve)));
    response.end();
  };

export const startUpstream = async (): Promise<Upstream> => {
  const upstream = { sent: [] as Sent[], answer: completion({ content: 'Noted.' }) };
  const server = createServer(async (request, response) => {
    const sent = {
      method: request.method!,
      path: request.url!,
      headers: request.headers,
      body: await text(request),
      closed: once(response, 'close'),
    };
    upstream.sent.push(sent);
    upstream.answer(response, sent);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(upstream, {
    url: `http://127.0.0.1:${port}/v1`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  });
};
