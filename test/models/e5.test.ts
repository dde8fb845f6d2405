import { afterAll, beforeAll, expect, it } from 'vitest';
import { comparedWith, joinedVectors, turnVectors } from '../../domain/search/vectors.ts';
import { openEmbeddings } from '../../infra/llm/embeddings.ts';
import { embedded } from '../journeys/embeddings.ts';
import { connect } from '../support/http/client.ts';
import { E5_PACKAGE, E5_PREFIXES, startE5 } from '../support/http/served-e5.ts';
import { describeWithPython, makePythonEnvironment } from '../support/processes/python.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';

const MODEL = 'multilingual-e5-small';
const EXERCISE = 'What kind of exercise does she do?';
const TEXTS = [
  'Rowing on the river three mornings a week keeps me in shape.',
  'My sister has sold her old car at last.',
  'The library closes at six on Fridays.',
  'Our cat sleeps in the cupboard all day.',
  `${'We talked about the weather for a while. '.repeat(40)}And then I told him that I am allergic to peanuts.`,
];

describeWithPython('a real model of embeddings', () => {
  let model: Awaited<ReturnType<typeof startE5>>;
  let server: Server | undefined;
  beforeAll(async () => {
    model = await startE5(await makePythonEnvironment([E5_PACKAGE]));
  }, 300_000);
  afterAll(async () => {
    await server?.kill();
    await model?.close();
  });

  it('knows what is near in meaning, in bytes as in numbers', async () => {
    const { embed } = openEmbeddings({
      baseUrl: model.url,
      apiKey: undefined,
      dimensions: 384,
      queryPrefix: E5_PREFIXES.query,
      passagePrefix: E5_PREFIXES.passage,
    });
    const signal = new AbortController().signal;
    const asked = async (as: 'query' | 'passage', texts: string[]) => {
      const outcome = await embed({ model: MODEL, as, texts }, signal);
      if (outcome.kind !== 'embedded') throw new Error(outcome.reason);
      return outcome.vectors;
    };
    const [query] = await asked('query', [EXERCISE]);
    const texts = TEXTS.slice(0, 4);
    const cosines = (await asked('passage', texts)).map(
      vector => comparedWith(query!)(joinedVectors(turnVectors(undefined, [vector])))!.cosine,
    );
    expect(cosines.indexOf(Math.max(...cosines))).toBe(0);
    expect(query).toHaveLength(384);
  });

  it('takes part in the answers of a service', async () => {
    server = await startServer({
      environment: {
        TURNSTONE_EMBEDDINGS_BASE_URL: model.url,
        TURNSTONE_EMBEDDINGS_MODEL: MODEL,
        TURNSTONE_EMBEDDINGS_DIMENSIONS: '384',
        TURNSTONE_EMBEDDINGS_QUERY_PREFIX: E5_PREFIXES.query,
        TURNSTONE_EMBEDDINGS_PASSAGE_PREFIX: E5_PREFIXES.passage,
      },
    });
    const client = await connect(server);
    const scope = { user_id: 'ada', session_id: 's1' };
    await client.ingest({
      scope,
      turns: TEXTS.map((text, n) => ({
        role: 'Ada',
        text,
        timestamp: new Date(Date.UTC(2026, 2, 1, 9, n)).toISOString(),
      })),
    });
    await embedded(server.url, server.url, 120_000);
    const ask = async (q: string) =>
      client.recall({ scope: { user_id: 'ada' }, q, kinds: ['turn'], explain: true });
    for (const [q, n] of [
      [EXERCISE, 0],
      ['What vehicle did somebody get rid of?', 1],
      // It is at the end of a long turn.
      ['What is Ada allergic to?', 4],
    ] as const) {
      await until('the question has its vector', async () => (await ask(q)).degraded === undefined);
      const { hits } = await ask(q);
      const nearest = hits.turns
        .map(({ content, explanation }) => ({
          n: TEXTS.indexOf(content!),
          log_odds:
            explanation!.parts.find(({ feature }) => feature === 'modelCosineRelative')?.log_odds ?? 0,
        }))
        .sort((a, b) => b.log_odds - a.log_odds)[0];
      expect({ q, n: nearest!.n }).toEqual({ q, n });
    }
  });
});
