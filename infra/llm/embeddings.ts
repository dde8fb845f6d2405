import type { Embed, EmbedOutcome } from '../../core/ports.ts';
import { quantised } from '../../domain/search/vectors.ts';
import type { EmbeddingsConfig } from '../../schemas/config.ts';
import { makePostJson } from './post-json.ts';

/** Timeout of a request: a small machine may need long for a page of turns. */
const WITHIN_MS = 60_000;
/** Maximum bytes of an answer: 64 vectors of 4,096 components with 20 digits each take 5 MiB. */
const MOST_BYTES = 8 * 1_048_576;

export interface EmbeddingsOptions
  extends Pick<EmbeddingsConfig, 'baseUrl' | 'apiKey' | 'dimensions' | 'queryPrefix' | 'passagePrefix'> {
  withinMs?: number;
}

/** Calls any server that implements OpenAI's embeddings: one POST per call, without retries. */
export const openEmbeddings = ({
  dimensions,
  queryPrefix,
  passagePrefix,
  withinMs = WITHIN_MS,
  ...of
}: EmbeddingsOptions): Embed => {
  const post = makePostJson({ ...of, path: '/embeddings', withinMs, mostBytes: MOST_BYTES });
  const prefixes = { query: queryPrefix, passage: passagePrefix };
  return {
    embed: async ({ model, as, texts }, signal) => {
      const input = texts.map(text => prefixes[as] + text);
      const request = { model, input, encoding_format: 'float', ...(dimensions && { dimensions }) };
      const posted = await post(request, signal);
      return posted.kind === 'answered' ? readVectors(posted.value, texts.length, dimensions) : posted;
    },
  };
};

/** Reads an answer; its vectors may come in any order, each with its index. */
const readVectors = (answer: unknown, count: number, dimensions: number | undefined): EmbedOutcome => {
  const unusable = (reason: string): EmbedOutcome => ({ kind: 'away', reason });
  const data = (answer as { data?: unknown } | null)?.data;
  if (!Array.isArray(data)) return unusable('an answer without vectors');
  if (data.length !== count) return unusable(`${data.length} vectors for ${count} texts`);
  const vectors: Int8Array[] = [];
  for (const [i, item] of data.entries()) {
    const { index = i, embedding } = (item ?? {}) as { index?: unknown; embedding?: unknown };
    const vector = quantised(embedding);
    if (!vector) return unusable('a vector that is not one of numbers');
    if (dimensions !== undefined && vector.length !== dimensions)
      return { kind: 'refused', reason: `vectors of ${vector.length} components, not ${dimensions}` };
    if (!Number.isInteger(index) || Number(index) < 0 || Number(index) >= count || vectors[Number(index)])
      return unusable('vectors that do not say of which texts they are');
    vectors[Number(index)] = vector;
  }
  const [first] = vectors;
  return vectors.every(({ length }) => length === first!.length)
    ? { kind: 'embedded', vectors }
    : unusable('vectors of different lengths');
};
