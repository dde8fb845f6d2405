/** A scripted stand-in for the service, for what the real one does not do on demand: fail, delay, refuse. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface SeenRequest {
  method: string;
  path: string;
  apiKey: string | undefined;
  body: unknown;
}

export type StubAnswer = { status: number; headers?: Record<string, string>; body?: unknown } | 'drop';

/** `undefined`: the stub's own answer. `gone` resolves when the caller has its answer or has hung up. */
export type Script = (
  request: SeenRequest,
  gone: Promise<unknown>,
) => StubAnswer | undefined | Promise<StubAnswer | undefined>;

const OWNER = { org_id: 'acme', user_id: 'owner', session_id: null, strict: false, roles: ['*'] };

const accepted = (body: { turns: unknown[] }): StubAnswer => ({
  status: 202,
  body: {
    job_id: 'job',
    active_fragment_ids: body.turns.map((_, index) => `turn-${index}`),
    passive_job_id: null,
    usage: { tokens_in: body.turns.length, tokens_out: 0 },
  },
});

export interface StubService {
  url: string;
  seen: SeenRequest[];
  paths(): string[];
  close(): Promise<void>;
}

/** Answers `GET /me`, with the members of `owner`, and ingestions by itself; `script` is asked first. */
export const startStub = async (
  script: Script = () => undefined,
  owner: object = {},
): Promise<StubService> => {
  const seen: SeenRequest[] = [];
  const own = (request: SeenRequest): StubAnswer => {
    if (request.path === '/me') return { status: 200, body: { ...OWNER, ...owner } };
    if (request.path === '/ingestion/memory') return accepted(request.body as { turns: unknown[] });
    return { status: 404, body: { error: 'HTTP 404', message: 'no such path' } };
  };
  const server = createServer(async (incoming, response) => {
    const gone = once(response, 'close');
    const request = {
      method: incoming.method!,
      path: incoming.url!,
      apiKey: incoming.headers['x-api-key'] as string | undefined,
      body: await json(incoming).catch(() => undefined),
    };
    seen.push(request);
    const answer = (await script(request, gone)) ?? own(request);
    if (answer === 'drop') {
      incoming.socket.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body === undefined ? undefined : JSON.stringify(answer.body));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    paths: () => seen.map(({ path }) => path),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
