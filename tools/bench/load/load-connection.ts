/**
 * An HTTP/1.1 client of one kept-alive connection with only as much HTTP as this benchmark needs (answers
 * with a Content-Length): the cost of a general client would be taken from the server on the same two cores.
 */
import { connect } from 'node:net';

export interface HttpAnswer {
  status: number;
  /** Seconds of `Retry-After`; 0 without it. */
  retryAfter: number;
  body: Buffer;
}

export interface Connection {
  /** Sends one request at a time. Rejects if the connection breaks. */
  send(request: string): Promise<HttpAnswer>;
  close(): void;
}

/** Returns the bytes of a request; `body` must be ASCII. */
export const request = (method: 'GET' | 'POST', path: string, token: string, body = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

const HEAD_END = Buffer.from('\r\n\r\n');

const headerNumber = (head: string, name: RegExp): number => Number(name.exec(head)?.[1] ?? 0);

export const openConnection = async (url: string): Promise<Connection> => {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });

  let waiting: { resolve: (answer: HttpAnswer) => void; reject: (error: Error) => void } | undefined;
  let received: Buffer = Buffer.alloc(0);

  const fail = (error: Error): void => {
    waiting?.reject(error);
    waiting = undefined;
  };
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the connection was closed')));
  socket.on('data', chunk => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const headEnd = received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = received.toString('latin1', 0, headEnd);
    const end = headEnd + HEAD_END.length + headerNumber(head, /^content-length: (\d+)/im);
    if (received.length < end) return;
    const answer: HttpAnswer = {
      status: Number(head.slice(9, 12)),
      retryAfter: headerNumber(head, /^retry-after: (\d+)/im),
      body: received.subarray(headEnd + HEAD_END.length, end),
    };
    received = received.subarray(end);
    const { resolve } = waiting!;
    waiting = undefined;
    resolve(answer);
  });

  return {
    send: text =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Error('the connection was closed'));
        waiting = { resolve, reject };
        socket.write(text, 'latin1');
      }),
    close: () => void socket.destroy(),
  };
};
