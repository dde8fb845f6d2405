/** A server that speaks OpenAI's embeddings on a port of its own: it answers, or fails, as the test says. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { fnv1a } from '../../../domain/language/words/fnv.ts';
import { replies } from './chat-server.ts';

export interface EmbeddingRequest {
  path: string;
  headers: IncomingHttpHeaders;
  model: string;
  input: string[];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
  body: any;
}

type Reply = (response: ServerResponse) => void;

export interface EmbeddingServer {
  /** To be given as the base URL. */
  url: string;
  /** All that came, in order. */
  requests: EmbeddingRequest[];
  /** The texts that a model was given. */
  texts(model?: string): string[];
  /** From here on. */
  reply(with_: (request: EmbeddingRequest) => Reply | Promise<Reply>): void;
  close(): Promise<void>;
}

/** Words of one meaning, which nobody else would take for one. */
const MEANINGS = [
  ['hound', 'kettle'],
  ['clinic', 'violin'],
];
const OTHERS = 16;

/** A vector by the meanings of a text's words, a little by its other words; each model has its own axes. */
const meaning = (text: string, model = 'model-a'): number[] => {
  const vector = new Array<number>(MEANINGS.length + OTHERS).fill(0.01);
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    const at = MEANINGS.findIndex(words => words.includes(word));
    if (at >= 0) vector[at]! += 1;
    else vector[MEANINGS.length + (fnv1a(model + word) % OTHERS)]! += 0.1;
  }
  return model === 'model-a' ? vector : vector.reverse();
};

const vectorsReply = (vectors: readonly unknown[]): Reply =>
  replies.json(200, {
    object: 'list',
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    model: 'any',
    usage: { prompt_tokens: 1, total_tokens: 1 },
  });

const embeds = ({ input, model }: Pick<EmbeddingRequest, 'input' | 'model'>): Reply =>
  vectorsReply(input.map(text => meaning(text, model)));

export const embeddingReplies = { ...replies, vectors: vectorsReply, embeds };

export const startEmbeddingServer = async (): Promise<EmbeddingServer> => {
  const requests: EmbeddingRequest[] = [];
  let replyTo: (request: EmbeddingRequest) => Reply | Promise<Reply> = embeds;
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request));
    const { model, input } = body;
    const asked = { path: request.url!, headers: request.headers, model, input, body };
    requests.push(asked);
    (await replyTo(asked))(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    texts: model =>
      requests.filter(one => model === undefined || one.model === model).flatMap(({ input }) => input),
    reply: with_ => {
      replyTo = with_;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close').catch(() => undefined);
    },
  };
};
