/**
 * The thread that searches, over TLS, with a server that stands for Elasticsearch: what is sent to it, what
 * becomes of its faults, and who waits for whom. What it answers is the cluster suites' matter.
 */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { SearchRequest } from '../../../../core/ports.ts';
import { sharedTable } from '../../../../core/threads/shared-table.ts';
import type { Deadline } from '../../../../core/timing/deadline.ts';
import type { Log } from '../../../../core/watch/logger.ts';
import type { ClusterConfig } from '../../../../schemas/config.ts';
import { startIndexSearcher } from '../../../../services/cluster/index-searcher.ts';
import type { Searcher } from '../../../../services/use-cases/recall/searcher.ts';
import { type Certificates, makeCertificates } from '../../../support/engines/certificates.ts';
import { until } from '../../../support/wait.ts';

const NOTHING = {
  hits: { total: { value: 0 }, hits: [] },
  aggregations: {
    turns: {
      doc_count: 0,
      length: { value: 0 },
      roles: { buckets: [] },
      words: { buckets: [] },
      sessions: { sum_other_doc_count: 0, buckets: [] },
      holding: { sessions: { sum_other_doc_count: 0, buckets: [] } },
    },
  },
};
const FOUND_NOTHING = { chosen: [], quoted: [], holding: [], confidence: 0, without: [] };
const REFUSAL = { error: { type: 'parsing_exception', reason: 'where is Grace?' } };

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const answerWith =
  (status: number, body: object): Answer =>
  (_, response) => {
    response.statusCode = status;
    response.end(JSON.stringify(body));
  };

let certificates: Certificates;
let server: Server;
let elasticsearchUrl: string;
let answer: Answer;
let asked: { url: string; authorization: string | undefined }[] = [];

beforeAll(async () => {
  certificates = makeCertificates();
  const [cert, key] = [readFileSync(certificates.serverCert), readFileSync(certificates.serverKey)];
  server = createServer({ cert, key }, (request, response) => {
    request.resume();
    // A thread asks once for what an organization's retention has removed.
    if (request.url!.startsWith('/ours-accounts/')) {
      response.setHeader('x-elastic-product', 'Elasticsearch');
      response.setHeader('content-type', 'application/json');
      answerWith(404, { found: false })(request, response);
      return;
    }
    asked.push({ url: request.url!, authorization: request.headers.authorization });
    response.setHeader('x-elastic-product', 'Elasticsearch');
    response.setHeader('content-type', 'application/json');
    answer(request, response);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  elasticsearchUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server?.closeAllConnections();
  server?.close();
});

const opened: Searcher[] = [];
afterEach(async () => {
  server.closeAllConnections();
  for (const searcher of opened.splice(0)) await searcher.close();
  asked = [];
});

const start = (table = sharedTable()) => {
  const error = vi.fn();
  const config = {
    namespace: 'ours',
    elasticsearchUrl,
    elasticsearch: { ca: readFileSync(certificates.ca, 'utf8'), user: 'elastic', password: 'secret' },
  } as ClusterConfig;
  const log = { error } as unknown as Log;
  const searcher = startIndexSearcher(config, {
    table,
    clockOffset: 0,
    rerank: undefined,
    hasReader: false,
    log,
  });
  opened.push(searcher);
  return { searcher, error };
};

const request = (org = 'acme'): SearchRequest => ({
  scope: { org },
  q: 'where is Grace?',
  mode: 'active',
  tail: [],
  moment: 0,
  kinds: ['turn'],
  topK: 5,
});

const cancellable = (): Deadline & { cancel(reason: Error): void } => {
  const cancelled = new AbortController();
  return {
    signal: cancelled.signal,
    at: Number.POSITIVE_INFINITY,
    appendUntil: 0,
    beginAppend: () => {},
    cancel: reason => cancelled.abort(reason),
  };
};

const faultOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

it('asks the alias of the index, with the credentials and the authority of the configuration', async () => {
  answer = answerWith(200, NOTHING);
  const { searcher, error } = start();
  await searcher.started;
  expect(await searcher.search(request())).toEqual(FOUND_NOTHING);
  expect(asked[0]!.url).toMatch(/^\/ours-recall\/_search\?/);
  const authorization = `Basic ${Buffer.from('elastic:secret').toString('base64')}`;
  expect(asked.every(one => one.authorization === authorization)).toBe(true);
  expect(await searcher.probe()).toBe('runs');
  expect(error).not.toHaveBeenCalled();
});

it('is unavailable while Elasticsearch is, and has a fault of ours when it refuses a request; neither has the question', async () => {
  const { searcher, error } = start();
  answer = answerWith(503, { error: { type: 'no_shard_available_action_exception' } });
  expect(await faultOf(searcher.search(request()))).toMatchObject({
    code: 'unavailable',
    message: "Elasticsearch can't be reached right now.",
    retryAfter: 1,
    cause: '503, no_shard_available_action_exception',
  });
  answer = answerWith(400, REFUSAL);
  const fault = await faultOf(searcher.search(request()));
  expect(fault).not.toHaveProperty('code');
  expect((fault as Error).message).toBe('Elasticsearch refused a request with 400, parsing_exception');
  expect((fault as Error).stack).not.toContain('Grace');
  // An engine that is away is no fault of the thread.
  expect(await searcher.probe()).toBe('runs');
  expect(error).not.toHaveBeenCalled();
});

it('closes the request of a search for which nobody waits, and rejects with the reason', async () => {
  let closed = 0;
  answer = (_, response) => response.on('close', () => closed++);
  const { searcher } = start();
  const deadline = cancellable();
  const search = faultOf(searcher.search(request(), deadline));
  await until('Elasticsearch is asked', () => asked.length === 1);
  const reason = new Error('the client is gone');
  deadline.cancel(reason);
  expect(await search).toBe(reason);
  await until('the request is closed', () => closed === 1);
  // One that Elasticsearch leaves without an answer for too long would be closed too, and sent again.
  expect(asked).toHaveLength(1);
});

it('runs half of the searches at once for one organization, and then another finds room', async () => {
  answer = () => {};
  const { searcher } = start();
  const many = Array.from({ length: 12 }, () => faultOf(searcher.search(request('hostile'))));
  await until('those that may run wait for Elasticsearch', () => asked.length === 8);
  answer = answerWith(200, NOTHING);
  expect(await searcher.search(request('good'))).toEqual(FOUND_NOTHING);
  expect(asked).toHaveLength(9);
  server.closeAllConnections();
  await Promise.all(many);
});

it('names a thread that does not load, and is unavailable', async () => {
  const { searcher, error } = start(new SharedArrayBuffer(8));
  await searcher.started;
  await expect(searcher.probe()).rejects.toThrow('not a static table');
  expect(await faultOf(searcher.search(request()))).toMatchObject({
    code: 'unavailable',
    message: 'Recall is starting again.',
  });
  expect(error).toHaveBeenCalledWith(
    { thread: 'recall', reason: 'not a static table' },
    'ended, starting another',
  );
});
