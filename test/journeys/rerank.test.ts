import { once } from 'node:events';
import { createServer, type Server as HttpServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { replies } from '../support/http/chat-server.ts';
import { connect, settled } from '../support/http/client.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { write } from './embeddings.ts';

/** The service with a reranking model behind it. */
let endpoint: HttpServer;
let reply: (documents: string[]) => (response: ServerResponse) => void;
let server: Server;
beforeEach(async () => {
  endpoint = createServer(async (request, response) => {
    reply(JSON.parse(await textOf(request)).documents)(response);
  }).listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  server = await startServer({
    environment: {
      TURNSTONE_RERANK_BASE_URL: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`,
      TURNSTONE_RERANK_API_KEY: 'sk-swordfish',
      TURNSTONE_LOG_LEVEL: 'info',
    },
  });
});
afterEach(async () => {
  await server.kill();
  endpoint.closeAllConnections();
  endpoint.close();
});

/** Prefers what has a word. */
const prefers = (word: string) => (documents: string[]) =>
  replies.json(200, {
    results: documents.map((text, index) => ({ index, relevance_score: text.includes(word) ? 0.9 : 0.1 })),
  });

it('has its say on the best hits, and is done without where it fails', async () => {
  const client = await connect(server);
  await write(client);
  await settled(server.url);
  for (const mode of ['active', 'deep'] as const) {
    reply = prefers('canoe');
    const { hits, degraded } = await client.recall({ q: 'Tell me.', mode, kinds: ['turn'], explain: true });
    expect(degraded).toBeUndefined();
    const said = hits.turns.map(({ content, explanation }) => ({
      canoe: content!.includes('canoe'),
      logOdds: explanation!.parts.find(({ feature }) => feature === 'rerankScore')!.log_odds,
    }));
    for (const { canoe, logOdds } of said) expect(logOdds > 0).toBe(canoe);
    expect(hits.turns.map(({ score }) => score)).toEqual(
      hits.turns.map(({ score }) => score).sort((a, b) => b - a),
    );
  }

  reply = () => replies.status(500);
  const { hits, degraded, confidence } = await client.recall({
    q: 'Tell me.',
    kinds: ['turn'],
    explain: true,
  });
  expect(degraded).toEqual(['rerank']);
  expect(hits.turns).toHaveLength(6);
  expect(JSON.stringify(hits)).not.toContain('rerankScore');
  reply = prefers('canoe');
  // The scores of a model that nobody has calibrated leave confidence as it is.
  const again = await client.recall({ q: 'Tell me.', kinds: ['turn'] });
  expect(again).toMatchObject({ confidence });
  expect(again).not.toHaveProperty('degraded');
  expect(server.stdout() + server.stderr()).not.toMatch(/swordfish|Hadrian/);
});
