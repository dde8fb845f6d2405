/** Measures the TypeScript client's cost per call, beside fetch, on a server with a constant answer. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Turnstone } from '../../../clients/typescript/src/index.ts';

export interface ClientFigures {
  /** Milliseconds of each call. */
  client: number[];
  fetch: number[];
}

const WARM_UP = 200;

/** Runs in its own thread, so that it is not measured with the client. */
const SERVER = `
  import { createServer } from 'node:http';
  import { parentPort } from 'node:worker_threads';
  const turn = { id: 'trn_' + 'a'.repeat(32), text: '[2023-01-02] [Maya] ' + 'a turn of the usual length '.repeat(5), score: 0.5, kind: 'turn', timestamp: '1672650000' };
  const answer = JSON.stringify({ hits: { turns: Array(15).fill(turn), observations: [], entities: [] }, confidence: 0.5, timeline: null, mode: 'active', usage: { tokens_in: 10, tokens_out: 600 } });
  const tokens = JSON.stringify({ access_token: 'a'.repeat(700), refresh_token: 'r', token_type: 'bearer', expires_in: 86400 });
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(request.url === '/recall' ? answer : tokens);
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

/** Measures the two in turns, so that both have the same machine. */
export const measureClients = async (calls: number): Promise<ClientFigures> => {
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(SERVER)}`));
  const [port] = await once(worker, 'message');
  const baseUrl = `http://127.0.0.1:${port}`;
  const q = 'What did Maya say about the usual length?';
  const turnstone = new Turnstone({ baseUrl, apiKey: 'ts_key' });
  const bare = async (): Promise<unknown> => {
    const response = await fetch(`${baseUrl}/recall`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${'a'.repeat(700)}` },
      body: JSON.stringify({ scope: { org_id: 'local' }, q }),
    });
    return response.json();
  };
  const figures: ClientFigures = { client: [], fetch: [] };
  for (let i = -WARM_UP; i < calls; i++) {
    const [ofFetch, ofClient] = [
      await timed(bare),
      await timed(() => turnstone.recall(q, { allUsers: true })),
    ];
    if (i < 0) continue;
    figures.fetch.push(ofFetch);
    figures.client.push(ofClient);
  }
  await worker.terminate();
  return figures;
};
