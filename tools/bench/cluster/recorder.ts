/**
 * Records a process's requests to Elasticsearch word for word: a proxy that keeps each request, and a way to
 * repeat it.
 */
import { Agent, createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Recorded {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Recorder {
  /** URL to give the process instead of Elasticsearch's. */
  url: string;
  /** Returns the requests since the last call. */
  take(): Recorded[];
  close(): void;
}

/** Returns a minimal client: it reads the answer to its end and ignores it. */
export const makeReplay = (elasticsearchUrl: string) => {
  const { hostname, port } = new URL(elasticsearchUrl);
  const agent = new Agent({ keepAlive: true });
  const send = ({ method, path, headers, body }: Recorded) =>
    new Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
      const asked = request({ hostname, port, method, path, headers, agent }, answer => {
        buffer(answer).then(
          bytes => resolve({ status: answer.statusCode!, headers: answer.headers, body: bytes }),
          reject,
        );
      });
      asked.on('error', reject);
      asked.end(body);
    });
  return { send, close: () => agent.destroy() };
};

/** Starts a proxy to Elasticsearch over plain HTTP; credentials, if any, are part of the URL. */
export const startRecorder = async (elasticsearchUrl: string): Promise<Recorder> => {
  const replay = makeReplay(elasticsearchUrl);
  let recorded: Recorded[] = [];
  const server = createServer(async (asked, answer) => {
    try {
      const one = {
        method: asked.method!,
        path: asked.url!,
        headers: asked.headers,
        body: await buffer(asked),
      };
      recorded.push(one);
      const { status, headers, body } = await replay.send(one);
      const { 'transfer-encoding': _, ...kept } = headers;
      answer.writeHead(status, { ...kept, 'content-length': body.length });
      answer.end(body);
    } catch {
      answer.destroy();
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(elasticsearchUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    take: () => {
      const all = recorded;
      recorded = [];
      return all;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
      replay.close();
    },
  };
};
