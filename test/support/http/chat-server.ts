/** A server that speaks OpenAI's chat completions on its own port: it answers, or fails, as the test says. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import type { FoundByModel } from '../../../schemas/extraction.ts';

/** The turn that a request is about. */
export interface Asked {
  speaker: string;
  said_at: string;
  weekday: string;
  text: string;
}

export interface ChatRequest {
  path: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
  body: any;
  asked: Asked;
}

type Reply = (response: ServerResponse) => void;

export interface ChatServer {
  /** To be given as the base URL. */
  url: string;
  /** All that came, in order; `texts` are the turns' alone. */
  requests: ChatRequest[];
  texts(): string[];
  /** Most requests that were under way at once. */
  mostAtOnce(): number;
  /** From here on; `nth` counts the requests with the same text from 1 on. */
  reply(with_: (asked: Asked, nth: number) => Reply | Promise<Reply>): void;
  close(): Promise<void>;
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Reply => {
  return response => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
};

const completion = (message: object, finish_reason = 'stop') => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
});

/** A word that no log, error or job may show: servers quote what they were sent. */
export const SECRET_ECHO = 'echo-of-the-turn';

export const replies = {
  json,
  found: (found: Partial<FoundByModel>): Reply =>
    json(200, completion({ content: JSON.stringify({ observations: [], entities: [], ...found }) })),
  content: (content: unknown, finish_reason?: string): Reply =>
    json(200, completion({ content }, finish_reason)),
  refusal: (): Reply => json(200, completion({ content: null, refusal: `No: ${SECRET_ECHO}` })),
  status: (status: number, headers?: Record<string, string>): Reply =>
    json(status, { error: { message: SECRET_ECHO } }, headers),
  cut: (): Reply => response => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"choices"', () => response.destroy());
  },
  silence: (): Reply => () => {},
  /** More than anybody should read; `told` learns how many bytes were taken. */
  endless:
    (told: (bytes: number) => void): Reply =>
    response => {
      const chunk = Buffer.alloc(65_536, 32);
      let bytes = 0;
      const more = (): void => {
        if (response.destroyed) return;
        bytes += chunk.length;
        told(bytes);
        response.write(chunk, more);
      };
      response.writeHead(200, { 'content-type': 'application/json' });
      more();
    },
};

/** One fact a turn, in the turn's own words. */
const echo = ({ speaker, text }: Asked): Reply =>
  replies.found({ observations: [{ text: `${speaker} said: ${text}` }] });

/** The question by which the extractor finds out whether an endpoint answers at all. */
export const PROBE = 'Good morning.';

export const startChatServer = async (): Promise<ChatServer> => {
  const requests: ChatRequest[] = [];
  let replyTo: (asked: Asked, nth: number) => Reply | Promise<Reply> = echo;
  let underWay = 0;
  let mostAtOnce = 0;
  const server = createServer(async (request, response) => {
    mostAtOnce = Math.max(mostAtOnce, ++underWay);
    response.once('close', () => underWay--);
    const body = JSON.parse(await textOf(request));
    const asked = JSON.parse(body.messages.at(-1).content) as Asked;
    requests.push({ path: request.url!, headers: request.headers, body, asked });
    const nth = requests.filter(each => each.asked.text === asked.text).length;
    (await replyTo(asked, nth))(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    texts: () => requests.map(({ asked }) => asked.text).filter(text => text !== PROBE),
    mostAtOnce: () => mostAtOnce,
    reply: with_ => {
      replyTo = with_;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close').catch(() => undefined);
    },
  };
};
