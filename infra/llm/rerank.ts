import type { Rerank, RerankOutcome } from '../../core/ports.ts';
import type { RerankConfig } from '../../schemas/config.ts';
import { makePostJson } from './post-json.ts';

/** Timeout of a request: after it, the ranking stays without the model's scores. */
const WITHIN_MS = 1_000;
/** Maximum bytes of an answer: some servers return the texts. */
const MOST_BYTES = 4 * 1_048_576;

export interface RerankOptions extends Pick<RerankConfig, 'baseUrl' | 'apiKey' | 'model'> {
  withinMs?: number;
}

/** Cohere, Jina and vLLM take `documents`, Hugging Face's TEI takes `texts`; each refuses the other form. */
type Form = 'documents' | 'texts';
const OTHER: Record<Form, Form> = { documents: 'texts', texts: 'documents' };

/**
 * Calls `/rerank` of any of these servers: one POST per call, without retries. A refused request is sent once
 * more in the other form, and the accepted form is kept.
 */
export const openRerank = ({ model, withinMs = WITHIN_MS, ...of }: RerankOptions): Rerank => {
  const post = makePostJson({ ...of, path: '/rerank', withinMs, mostBytes: MOST_BYTES });
  let form: Form = 'documents';
  let isKnown = false;
  const ask = async (as: Form, query: string, texts: readonly string[], signal: AbortSignal) => {
    const posted = await post({ ...(model !== undefined && { model }), query, [as]: texts }, signal);
    return posted.kind === 'answered' ? readScores(posted.value, texts.length) : posted;
  };
  return {
    rerank: async (query, texts, signal) => {
      const first = await ask(form, query, texts, signal);
      const outcome =
        first.kind === 'refused' && !isKnown ? await ask(OTHER[form], query, texts, signal) : first;
      if (outcome.kind === 'reranked') {
        if (outcome !== first) form = OTHER[form];
        isKnown = true;
      }
      return outcome;
    },
  };
};

/**
 * Reads `{ results: [{ index, relevance_score }] }`, or TEI's `[{ index, score }]`; best first, with a score
 * for every text.
 */
const readScores = (answer: unknown, count: number): RerankOutcome => {
  const unusable = (reason: string): RerankOutcome => ({ kind: 'away', reason });
  const results = Array.isArray(answer) ? answer : (answer as { results?: unknown } | null)?.results;
  if (!Array.isArray(results)) return unusable('an answer without results');
  if (results.length !== count) return unusable(`${results.length} results for ${count} texts`);
  const scores: number[] = [];
  for (const result of results) {
    const { index, relevance_score, score = relevance_score } = (result ?? {}) as Record<string, unknown>;
    if (typeof score !== 'number' || !Number.isFinite(score)) return unusable('a score that is no number');
    if (
      !Number.isInteger(index) ||
      Number(index) < 0 ||
      Number(index) >= count ||
      scores[Number(index)] !== undefined
    )
      return unusable('results that do not say of which texts they are');
    scores[Number(index)] = score;
  }
  return { kind: 'reranked', scores };
};
