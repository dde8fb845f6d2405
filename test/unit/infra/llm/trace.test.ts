import { afterAll, beforeAll, expect, it } from 'vitest';
import { stopTracing } from '../../../../core/tracing/calls.ts';
import { openEmbeddings } from '../../../../infra/llm/embeddings.ts';
import { startEmbeddingServer } from '../../../support/http/embedding-server.ts';
import { inRequest, registerContext, startPlainTracing } from '../../../support/http/in-a-trace.ts';

let unregister: () => void;
beforeAll(() => {
  unregister = registerContext();
});
afterAll(() => unregister());

it('sends the trace of the call that needs it to an endpoint, and none outside of calls', async () => {
  const server = await startEmbeddingServer();
  try {
    const { embed } = openEmbeddings({
      baseUrl: server.url,
      apiKey: 'sk-of-nobody',
      dimensions: undefined,
      queryPrefix: '',
      passagePrefix: '',
      withinMs: 2_000,
    });
    const ask = () => embed({ model: 'model-a', as: 'query', texts: ['dogs'] }, new AbortController().signal);
    await ask();
    startPlainTracing();
    await ask();
    const { traceId } = await inRequest(ask);
    stopTracing();
    const [off, outside, inside] = server.requests.map(({ headers }) => headers.traceparent);
    expect([off, outside]).toEqual([undefined, undefined]);
    expect(inside).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
  } finally {
    await server.close();
  }
});
