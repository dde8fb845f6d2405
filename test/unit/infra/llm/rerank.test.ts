import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRerank } from '../../../../infra/llm/rerank.ts';
import { replies, SECRET_ECHO } from '../../../support/http/chat-server.ts';

const never = new AbortController().signal;
const TEXTS = ['Ada: I have a van.', 'Ben: My dog is called Comet.'];
// biome-ignore lint/suspicious/noExplicitAny: what was sent
type Sent = { path: string; authorization: string | undefined; body: any };

/** How the servers of this interface answer: what each requires, and what it calls a score. */
const SERVERS = {
  cohere: (body: Sent['body']) =>
    body.documents
      ? replies.json(200, {
          id: '1',
          results: [
            { index: 1, relevance_score: 0.9 },
            { index: 0, relevance_score: 0.1 },
          ],
          meta: {},
        })
      : replies.status(400),
  jina: (body: Sent['body']) =>
    body.documents
      ? replies.json(200, {
          model: 'm',
          usage: { total_tokens: 9 },
          results: [
            { index: 1, document: { text: SECRET_ECHO }, relevance_score: 0.9 },
            { index: 0, document: { text: SECRET_ECHO }, relevance_score: 0.1 },
          ],
        })
      : replies.status(422),
  vllm: (body: Sent['body']) =>
    body.documents
      ? replies.json(200, {
          results: [
            { index: 0, relevance_score: 0.1 },
            { index: 1, relevance_score: 0.9 },
          ],
        })
      : replies.status(400),
  tei: (body: Sent['body']) =>
    body.texts
      ? replies.json(200, [
          { index: 1, score: 0.9 },
          { index: 0, score: 0.1 },
        ])
      : replies.status(422),
};

describe('an endpoint that reranks', () => {
  let server: Server;
  let sent: Sent[];
  let reply: (body: Sent['body']) => (response: ServerResponse) => void;
  beforeEach(async () => {
    sent = [];
    server = createServer(async (request, response) => {
      const body = JSON.parse(await textOf(request));
      sent.push({ path: request.url!, authorization: request.headers.authorization, body });
      reply(body)(response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });
  const make = (more: object = {}) =>
    openRerank({
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`,
      apiKey: 'sk-1',
      model: 'ranker-1',
      withinMs: 2_000,
      ...more,
    });

  it.each(Object.entries(SERVERS))('is one of %s', async (_, answers) => {
    reply = answers;
    const { rerank } = make();
    expect(await rerank('a hound?', TEXTS, never)).toEqual({ kind: 'reranked', scores: [0.1, 0.9] });
    expect(sent.at(-1)).toMatchObject({
      path: '/v2/rerank',
      authorization: 'Bearer sk-1',
      body: { model: 'ranker-1', query: 'a hound?' },
    });
    // The form that it takes is known.
    const before = sent.length;
    await rerank('a hound?', TEXTS, never);
    expect(sent).toHaveLength(before + 1);
  });

  it('may serve one model alone, which has no name then', async () => {
    reply = SERVERS.tei;
    await make({ model: undefined, apiKey: undefined }).rerank('a hound?', TEXTS, never);
    expect(sent.at(-1)).toEqual({
      path: '/v2/rerank',
      authorization: undefined,
      body: { query: 'a hound?', texts: TEXTS },
    });
  });

  it.each<[string, unknown, object]>([
    ['nothing', {}, { kind: 'away', reason: 'an answer without results' }],
    [
      'too few',
      { results: [{ index: 0, relevance_score: 1 }] },
      { kind: 'away', reason: '1 results for 2 texts' },
    ],
    ['no scores', [{ index: 0 }, { index: 1 }], { kind: 'away', reason: 'a score that is no number' }],
    [
      'one twice',
      [
        { index: 0, score: 1 },
        { index: 0, score: 2 },
      ],
      { kind: 'away', reason: 'results that do not say of which texts they are' },
    ],
    [
      'another text',
      [
        { index: 0, score: 1 },
        { index: 2, score: 2 },
      ],
      { kind: 'away', reason: 'results that do not say of which texts they are' },
    ],
    ['what is not JSON', `<html>${SECRET_ECHO}`, { kind: 'away', reason: 'an answer that is not JSON' }],
  ])('answers %s: that is a fault', async (_, answer, fault) => {
    reply = () => replies.json(200, answer);
    expect(await make().rerank('a hound?', TEXTS, never)).toEqual(fault);
  });

  it.each<[string, () => (response: ServerResponse) => void, object]>([
    ['an error', () => replies.status(500), { kind: 'away', reason: 'HTTP 500' }],
    [
      'too many requests',
      () => replies.status(429, { 'retry-after': '3' }),
      { kind: 'limited', reason: 'HTTP 429', retryAfterMs: 3_000 },
    ],
    ['a wrong key', () => replies.status(401), { kind: 'refused', reason: 'HTTP 401' }],
    [
      'a redirect',
      () => replies.status(308, { location: 'http://127.0.0.1:9/' }),
      { kind: 'refused', reason: 'HTTP 308' },
    ],
    ['silence', () => replies.silence(), { kind: 'away', reason: 'no answer within 0.2 s' }],
    ['a break', () => replies.cut(), { kind: 'away', reason: expect.stringMatching(/^no connection/) }],
    [
      'what never ends',
      () => replies.endless(() => {}),
      { kind: 'away', reason: 'an answer of more than 4 MiB' },
    ],
  ])('gives %s: that is a fault', async (name, answer, fault) => {
    reply = answer;
    const outcome = await make({ withinMs: name === 'silence' ? 200 : 10_000 }).rerank(
      'a hound?',
      TEXTS,
      never,
    );
    expect(outcome).toMatchObject(fault);
    expect(JSON.stringify(outcome)).not.toMatch(/hound|Comet|sk-1|echo/);
  });
});
