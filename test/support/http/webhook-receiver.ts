/** A receiver of webhooks: a server on loopback that keeps what it gets and answers as it is told. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message as it came, without what the client's helper would make of it. */
export interface Received {
  id: string;
  type: string;
  timestamp: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
  data: any;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  url: string;
  /** In the order in which they came, also those that were not accepted. */
  received: Received[];
  /** The status of the next answers; a promise keeps the sender waiting. */
  answer: (message: Received) => number | Promise<number>;
  /** Headers of the next answers. */
  answerHeaders: Record<string, string>;
  close(): Promise<void>;
}

/** Checks a signature by the text of Standard Webhooks, with nothing of ours. */
export const isSignedBy = (secret: string, { headers, body }: Received): boolean => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = createHmac('sha256', key).update(content).digest();
  return String(headers['webhook-signature'])
    .split(' ')
    .filter(one => one.startsWith('v1,'))
    .map(one => Buffer.from(one.slice(3), 'base64'))
    .some(one => one.length === expected.length && timingSafeEqual(one, expected));
};

export const startReceiver = async (): Promise<Receiver> => {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const message: Received = {
      ...(JSON.parse(body) as Pick<Received, 'type' | 'timestamp' | 'data'>),
      id: String(request.headers['webhook-id']),
      headers: request.headers,
      body,
    };
    receiver.received.push(message);
    const status = await receiver.answer(message);
    response.writeHead(status, receiver.answerHeaders).end('thank you');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    answer: () => 200,
    answerHeaders: {},
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
};
