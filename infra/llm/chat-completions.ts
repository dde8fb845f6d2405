import type { Chat } from '../../core/ports.ts';
import { type ModelEndpoint, makePostJson } from './post-json.ts';

/** Timeout of a request: a small machine may need long for a long answer. */
const WITHIN_MS = 60_000;
/** Maximum bytes of an answer: the facts of one turn take a few thousand bytes. */
const MOST_BYTES = 1_048_576;

export interface ChatCompletionsOptions extends ModelEndpoint {
  withinMs?: number;
}

/** Calls any server that implements OpenAI's chat completions: one POST per call, without retries. */
export const openChatCompletions = ({ withinMs = WITHIN_MS, ...of }: ChatCompletionsOptions): Chat => {
  const post = makePostJson({ ...of, path: '/chat/completions', withinMs, mostBytes: MOST_BYTES });
  return {
    complete: async (request, signal) => {
      const posted = await post(request, signal);
      return posted.kind === 'answered' ? { kind: 'answered', completion: posted.value } : posted;
    },
  };
};
