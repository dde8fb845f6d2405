import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { makeBreaker } from '../../../../../../core/fairness/breaker.ts';
import type { Embeddings, EmbedOutcome } from '../../../../../../core/ports.ts';
import { makeEmbedQuery } from '../../../../../../services/use-cases/recall/models/embed-query.ts';

const VECTOR = Int8Array.of(1, 2);
const EMBEDDED: EmbedOutcome = { kind: 'embedded', vectors: [VECTOR] };
const AWAY: EmbedOutcome = { kind: 'away', reason: 'HTTP 500' };

const make = (
  answer: (text: string) => Promise<EmbedOutcome> | EmbedOutcome = () => EMBEDDED,
  { served = async () => 'model-a' as string | undefined, models = ['model-a'] }: Partial<Embeddings> = {},
) => {
  const asked: { model: string; as: string; text: string }[] = [];
  let now = 0;
  const embedQuery = makeEmbedQuery({
    embeddings: {
      models,
      served,
      embed: {
        embed: async ({ model, as, texts }) => {
          asked.push({ model, as, text: texts[0]! });
          return answer(texts[0]!);
        },
      },
    },
    withinMs: 60,
    breaker: makeBreaker(() => now),
  });
  return {
    embedQuery,
    asked,
    pass: (ms: number) => {
      now += ms;
    },
  };
};

describe('a question’s vector', () => {
  it('is asked of the model that serves, as a question', async () => {
    const { embedQuery, asked } = make();
    expect(await embedQuery('acme', 'Where?')).toEqual({ model: 'model-a', vector: VECTOR });
    expect(asked).toEqual([{ model: 'model-a', as: 'query', text: 'Where?' }]);
  });

  it('is asked of another model where one is given, and remembered for each', async () => {
    const { embedQuery, asked } = make(undefined, { models: ['model-a', 'model-b'] });
    expect(await embedQuery('acme', 'Where?', 'model-b')).toEqual({ model: 'model-b', vector: VECTOR });
    expect(await embedQuery('acme', 'Where?')).toMatchObject({ model: 'model-a' });
    await embedQuery('acme', 'Where?', 'model-b');
    expect(asked.map(({ model }) => model)).toEqual(['model-b', 'model-a']);
  });

  it('is asked once for the same words, also at the same time, and for each organization', async () => {
    const { embedQuery, asked } = make(async () => {
      await pause(10);
      return EMBEDDED;
    });
    await Promise.all([embedQuery('acme', 'Where?'), embedQuery('acme', 'Where?')]);
    await embedQuery('acme', 'Where?');
    expect(asked).toHaveLength(1);
    await embedQuery('globex', 'Where?');
    expect(asked).toHaveLength(2);
  });

  it('is not waited for, and is there when it is asked again', async () => {
    let answer = (_: EmbedOutcome): void => {};
    const { embedQuery, asked } = make(() => new Promise(resolve => (answer = resolve)));
    expect(await embedQuery('acme', 'Where?')).toBeUndefined();
    answer(EMBEDDED);
    expect(await embedQuery('acme', 'Where?')).toEqual({ model: 'model-a', vector: VECTOR });
    expect(asked).toHaveLength(1);
  });

  it('costs nothing while the endpoint is dead, which one question after each pause finds out', async () => {
    let answer: EmbedOutcome = AWAY;
    const { embedQuery, asked, pass } = make(() => answer);
    for (const q of ['1', '2', '3']) expect(await embedQuery('acme', q)).toBeUndefined();
    for (const q of ['4', '5']) expect(await embedQuery('acme', q)).toBeUndefined();
    expect(asked.map(({ text }) => text)).toEqual(['1', '2', '3']);
    pass(1_000);
    await Promise.all(['6', '7'].map(q => embedQuery('acme', q)));
    expect(asked.map(({ text }) => text)).toEqual(['1', '2', '3', '6']);
    // The pause has doubled.
    pass(1_500);
    await embedQuery('acme', '8');
    expect(asked).toHaveLength(4);
    pass(500);
    answer = EMBEDDED;
    expect(await embedQuery('acme', '9')).toBeDefined();
    expect(await embedQuery('acme', '1')).toBeDefined();
  });

  it('is not asked for as long as the endpoint asks to wait', async () => {
    const { embedQuery, asked, pass } = make(() => ({
      kind: 'limited',
      reason: 'HTTP 429',
      retryAfterMs: 20_000,
    }));
    await embedQuery('acme', '1');
    pass(19_000);
    await embedQuery('acme', '2');
    expect(asked).toHaveLength(1);
    pass(1_000);
    await embedQuery('acme', '3');
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['no model serves yet', async () => undefined],
    ['the model that serves is configured no more', async () => 'model-b'],
    ['the model that serves can’t be read', async () => Promise.reject(new Error('unavailable'))],
  ])('is missing where %s', async (_, served) => {
    const { embedQuery, asked } = make(undefined, { served });
    expect(await embedQuery('acme', 'Where?')).toBeUndefined();
    expect(asked).toEqual([]);
  });
});
