import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEmbeddings } from '../../../../infra/llm/embeddings.ts';
import { SECRET_ECHO } from '../../../support/http/chat-server.ts';
import {
  type EmbeddingServer,
  embeddingReplies,
  startEmbeddingServer,
} from '../../../support/http/embedding-server.ts';

const never = new AbortController().signal;
const KEY = 'sk-of-nobody';

describe('an endpoint of embeddings', () => {
  let server: EmbeddingServer;
  beforeEach(async () => {
    server = await startEmbeddingServer();
  });
  afterEach(() => server.close());

  const embed = (texts: string[], more: object = {}, signal = never) =>
    openEmbeddings({
      baseUrl: server.url,
      apiKey: KEY,
      dimensions: undefined,
      queryPrefix: 'query: ',
      passagePrefix: 'passage: ',
      withinMs: 2_000,
      ...more,
    }).embed({ model: 'model-a', as: 'passage', texts }, signal);

  it('is asked for all texts at once, with the model, the key and the prefix', async () => {
    const outcome = await embed(['I have a dog.', 'A van.'], { dimensions: 18 });
    expect(outcome).toMatchObject({ kind: 'embedded' });
    const [{ path, headers, body }] = server.requests as [(typeof server.requests)[0]];
    expect(path).toBe('/v1/embeddings');
    expect(headers.authorization).toBe(`Bearer ${KEY}`);
    expect(body).toEqual({
      model: 'model-a',
      input: ['passage: I have a dog.', 'passage: A van.'],
      encoding_format: 'float',
      dimensions: 18,
    });
  });

  it('is asked for the length of vectors only where one is configured', async () => {
    await embed(['A dog.']);
    expect(server.requests[0]!.body).not.toHaveProperty('dimensions');
  });

  it('gives directions as bytes, in the order of the texts whatever the order of the answer', async () => {
    server.reply(() =>
      embeddingReplies.json(200, {
        data: [
          { index: 1, embedding: [0.5, -0.5] },
          { index: 0, embedding: [3e38, 0] },
        ],
      }),
    );
    expect(await embed(['one', 'two'])).toEqual({
      kind: 'embedded',
      vectors: [Int8Array.of(127, 0), Int8Array.of(127, -127)],
    });
  });

  const two = [1, 2];
  it.each<[string, () => unknown, object]>([
    [
      'an answer without vectors',
      () => embeddingReplies.json(200, { error: SECRET_ECHO }),
      { kind: 'away', reason: 'an answer without vectors' },
    ],
    ['null', () => embeddingReplies.json(200, 'null'), { kind: 'away', reason: 'an answer without vectors' }],
    [
      'too few vectors',
      () => embeddingReplies.vectors([two]),
      { kind: 'away', reason: '1 vectors for 2 texts' },
    ],
    [
      'too many vectors',
      () => embeddingReplies.vectors([two, two, two]),
      { kind: 'away', reason: '3 vectors for 2 texts' },
    ],
    [
      'NaN, which JSON has no word for',
      () => embeddingReplies.json(200, '{"data":[{"embedding":[NaN]},{"embedding":[1]}]}'),
      { kind: 'away', reason: 'an answer that is not JSON' },
    ],
    [
      'null in a vector',
      () => embeddingReplies.vectors([[1, null], two]),
      { kind: 'away', reason: 'a vector that is not one of numbers' },
    ],
    [
      'numbers beyond all bounds',
      () => embeddingReplies.json(200, '{"data":[{"embedding":[1e999]},{"embedding":[1]}]}'),
      { kind: 'away', reason: 'a vector that is not one of numbers' },
    ],
    [
      'a vector of zeros',
      () => embeddingReplies.vectors([[0, 0], two]),
      { kind: 'away', reason: 'a vector that is not one of numbers' },
    ],
    [
      'a vector as text',
      () => embeddingReplies.vectors(['AAAA', two]),
      { kind: 'away', reason: 'a vector that is not one of numbers' },
    ],
    [
      'a vector of a million components',
      () => embeddingReplies.vectors([new Array(1_000_000).fill(1), two]),
      { kind: 'away', reason: 'a vector that is not one of numbers' },
    ],
    [
      'vectors of different lengths',
      () => embeddingReplies.vectors([[1], two]),
      { kind: 'away', reason: 'vectors of different lengths' },
    ],
    [
      'one text twice',
      () =>
        embeddingReplies.json(200, {
          data: [
            { index: 0, embedding: two },
            { index: 0, embedding: two },
          ],
        }),
      { kind: 'away', reason: 'vectors that do not say of which texts they are' },
    ],
    [
      'a text that was not asked for',
      () =>
        embeddingReplies.json(200, {
          data: [
            { index: 0, embedding: two },
            { index: -1, embedding: two },
          ],
        }),
      { kind: 'away', reason: 'vectors that do not say of which texts they are' },
    ],
    [
      'another length than is configured',
      () => embeddingReplies.vectors([two, two]),
      { kind: 'refused', reason: 'vectors of 2 components, not 3' },
    ],
    [
      'an error of the server',
      () => embeddingReplies.status(500),
      { kind: 'away', reason: 'HTTP 500', retryAfterMs: undefined },
    ],
    [
      'too many requests',
      () => embeddingReplies.status(429, { 'retry-after': '7' }),
      { kind: 'limited', reason: 'HTTP 429', retryAfterMs: 7_000 },
    ],
    [
      'an unknown model',
      () => embeddingReplies.status(404),
      { kind: 'refused', reason: 'HTTP 404', retryAfterMs: undefined },
    ],
    [
      'a redirect, which is not followed',
      () => embeddingReplies.status(307, { location: 'http://127.0.0.1:9/v1/embeddings' }),
      { kind: 'refused', reason: 'HTTP 307', retryAfterMs: undefined },
    ],
    [
      'what is not JSON',
      () => embeddingReplies.json(200, `<html>${SECRET_ECHO}`),
      { kind: 'away', reason: 'an answer that is not JSON' },
    ],
    [
      'an answer that breaks off',
      () => embeddingReplies.cut(),
      { kind: 'away', reason: expect.stringMatching(/^no connection/) },
    ],
    ['silence', () => embeddingReplies.silence(), { kind: 'away', reason: 'no answer within 0.3 s' }],
  ])('answers %s: that is a fault', async (name, reply, fault) => {
    server.reply(() => reply() as never);
    const more = {
      withinMs: name === 'silence' ? 300 : 20_000,
      ...(name.startsWith('another') && { dimensions: 3 }),
    };
    const outcome = await embed(['the words of a person', 'more words'], more);
    expect(outcome).toEqual(fault);
    expect(JSON.stringify(outcome)).not.toMatch(/words of|sk-of|echo/);
  });

  it('sends no more than it is read', async () => {
    let sent = 0;
    server.reply(() => embeddingReplies.endless(bytes => (sent = bytes)));
    expect(await embed(['one'], { withinMs: 20_000 })).toEqual({
      kind: 'away',
      reason: 'an answer of more than 8 MiB',
    });
    expect(sent).toBeLessThan(64 * 1_048_576);
  });

  it('is gone: its address stays untold', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise(resolve => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    await new Promise(resolve => taken.close(resolve));
    const outcome = await embed(['one'], { baseUrl: `http://127.0.0.1:${port}/v1` });
    expect(outcome).toEqual({ kind: 'away', reason: 'no connection (ECONNREFUSED)' });
  });

  it('is not waited for by who no longer asks', async () => {
    server.reply(() => embeddingReplies.silence());
    const abort = new AbortController();
    const asked = embed(['one'], {}, abort.signal);
    setTimeout(() => abort.abort(new Error('enough')), 50);
    await expect(asked).rejects.toThrow('enough');
  });
});
