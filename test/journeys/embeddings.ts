/** The turns and questions of the journeys of an embedding model, in both modes. */
import { expect } from 'vitest';
import type { RecallAnswer } from '../../schemas/http/recall.ts';
import { type Client, metric, settled } from '../support/http/client.ts';
import { type EmbeddingServer, embeddingReplies } from '../support/http/embedding-server.ts';
import { pause, until, untilDefined } from '../support/wait.ts';

/** The key of the endpoint, and words that only people say. */
export const KEY = 'sk-swordfish';
export const WORDS = ['kettle', 'Hadrian'];

export const environmentOf = ({ url }: Pick<EmbeddingServer, 'url'>, models = 'model-a') => ({
  TURNSTONE_EMBEDDINGS_BASE_URL: url,
  TURNSTONE_EMBEDDINGS_MODEL: models,
  TURNSTONE_EMBEDDINGS_API_KEY: KEY,
  TURNSTONE_EMBEDDINGS_PASSAGE_PREFIX: 'passage: ',
  TURNSTONE_EMBEDDINGS_QUERY_PREFIX: 'query: ',
  TURNSTONE_LOG_LEVEL: 'info',
});

const scope = { user_id: 'ada', session_id: 's1' };

/** To the model, and to nobody else, the first one is about what is asked for. */
const TEXTS = [
  'Hadrian has brought a kettle from the village.',
  'My aunt has brought the coffee from the village.',
  'Marta has borrowed a tractor from the monastery.',
  'Igor has repaired the umbrella of the dentist.',
  'They have painted a canoe in the harbour.',
  'I met a wolf and a dog in the orchard.',
];
export const QUESTION = 'Tell me about the hound.';

const turnsOf = (texts: readonly string[], from = 0) =>
  texts.map((text, n) => ({
    role: n % 2 ? 'Ben' : 'Ada',
    text,
    timestamp: new Date(Date.UTC(2026, 2, 1, 10, from + n)).toISOString(),
  }));

export const write = (client: Client, texts: readonly string[] = TEXTS, from = 0, more: object = {}) =>
  client.ingest({ scope, turns: turnsOf(texts, from), ...more });

/** Until all that is in the log has its vectors, and these are projected. */
export const embedded = async (enricher: string, projector = enricher, ms?: number): Promise<void> => {
  await until(
    'all turns have their vectors',
    async () => (await metric(enricher, 'turnstone_embedder_lag_events')) === 0,
    ms,
  );
  await pause(400);
  if (enricher === projector) return settled(projector);
  await until(
    'the vectors are projected',
    async () => (await metric(projector, 'turnstone_projector_lag_events')) === 0,
  );
};

export const ask = (client: Client, q = QUESTION, more: object = {}): Promise<RecallAnswer> =>
  client.recall({ scope: { user_id: 'ada' }, q, kinds: ['turn'], top_k: 6, ...more });

/**
 * Asks until the endpoint has answered in time: a recall waits 150 ms for the question's vector, which is
 * then remembered.
 */
export const askInTime = (client: Client): Promise<RecallAnswer> =>
  untilDefined('the question has its vector', async () => {
    const answer = await ask(client);
    return answer.degraded ? undefined : answer;
  });

/**
 * The question asked, with its explanation: the turn that a model says most for; undefined where none took
 * part.
 */
export const explained = async (client: Client, q = QUESTION, more: object = {}) => {
  const { hits, degraded } = await ask(client, q, { explain: true, ...more });
  const byModel = hits.turns
    .map(({ content, explanation }) => {
      const parts = explanation!.parts.filter(({ feature }) => feature.startsWith('model'));
      return { turn: TEXTS.indexOf(content!), share: parts.reduce((sum, part) => sum + part.log_odds, 0) };
    })
    .filter(({ share }) => share !== 0)
    .sort((a, b) => b.share - a.share)[0];
  return { turns: hits.turns.length, degraded, byModel: byModel?.turn };
};

/** From the turn to the answer: the model says most for the turn that means what is asked for. */
export const expectFound = async (client: Client): Promise<void> => {
  await askInTime(client);
  expect(await explained(client)).toMatchObject({ degraded: undefined, byModel: 0 });
};

/** A model that serves no generation yet answers whoever names it; one that nobody configured is refused. */
export const expectAskedBefore = async (client: Client, model: string): Promise<void> => {
  const more = { embeddings_model: model };
  await until(
    'the question has its vector',
    async () => (await ask(client, QUESTION, more)).degraded === undefined,
  );
  expect(await explained(client, QUESTION, more)).toMatchObject({ degraded: undefined, byModel: 0 });
  await expect(ask(client, QUESTION, { embeddings_model: 'model-z' })).rejects.toThrow(/not_configured/);
};

/** The endpoint fails in every way: the answers come, in time, and say that they are without it. */
export const expectDegraded = async (client: Client, endpoint: EmbeddingServer): Promise<void> => {
  for (const reply of [
    embeddingReplies.status(500),
    embeddingReplies.silence(),
    embeddingReplies.json(200, '<html>'),
    embeddingReplies.cut(),
  ]) {
    endpoint.reply(() => reply);
    expect(await explained(client, `${QUESTION} ${Math.random()}`)).toEqual({
      degraded: ['embeddings'],
      byModel: undefined,
      turns: TEXTS.length,
    });
  }
  // It is left alone now.
  const asked = endpoint.requests.length;
  expect((await ask(client, 'And the cellar?')).degraded).toEqual(['embeddings']);
  expect(endpoint.requests).toHaveLength(asked);
  endpoint.reply(embeddingReplies.embeds);
  await until('it is asked again', async () => (await ask(client)).degraded === undefined, 60_000);
};
