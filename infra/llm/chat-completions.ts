import type { Chat, ChatFault, ChatOutcome } from '../../services/core/ports.ts';
import { retryAfterMs } from './retry-after.ts';

/** Timeout of a request: a small machine may need long for a long answer. */
const WITHIN_MS = 60_000;
/** Most bytes of an answer: the facts of one turn take a few thousand bytes. */
const MOST_BYTES = 1_048_576;

export interface ChatCompletionsOptions {
  /** The URL before `/chat/completions`, for example `https://api.openai.com/v1`. */
  baseUrl: string;
  /** Sent as a bearer token; self-hosted servers need none. */
  apiKey?: string | undefined;
  withinMs?: number;
}

const endpointOf = (baseUrl: string): URL => {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`;
  return url;
};

/** Calls any server that implements OpenAI's chat completions: one POST per call, without retries. */
export const openChatCompletions = ({
  baseUrl,
  apiKey,
  withinMs = WITHIN_MS,
}: ChatCompletionsOptions): Chat => {
  const url = endpointOf(baseUrl);
  const headers = {
    'content-type': 'application/json',
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  };
  return {
    complete: async (request, signal) => {
      const late = AbortSignal.timeout(withinMs);
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers,
          body: JSON.stringify(request),
          // Never send the key and the text to another address.
          redirect: 'manual',
          signal: AbortSignal.any([signal, late]),
        });
        return await outcomeOf(response);
      } catch (error) {
        signal.throwIfAborted();
        if (late.aborted) return { kind: 'away', reason: `no answer within ${withinMs / 1_000} s` };
        return { kind: 'away', reason: connectionFault(error) };
      }
    },
  };
};

const outcomeOf = async (response: Response): Promise<ChatOutcome> => {
  if (response.status !== 200) {
    await response.body?.cancel();
    return statusFault(response);
  }
  const text = await boundedText(response);
  if (text === undefined) return { kind: 'away', reason: 'an answer of more than 1 MiB' };
  try {
    return { kind: 'answered', completion: JSON.parse(text) };
  } catch {
    return { kind: 'away', reason: 'an answer that is not JSON' };
  }
};

const statusFault = ({ status, headers }: Response): ChatFault => {
  const fault = {
    reason: `HTTP ${status}`,
    retryAfterMs: retryAfterMs(headers.get('retry-after'), Date.now()),
  };
  if (status === 429) return { kind: 'limited', ...fault };
  const passes = status >= 500 || status === 408 || status === 425;
  return { kind: passes ? 'away' : 'refused', ...fault };
};

/** Undefined when the body exceeds `MOST_BYTES`; the rest is not received. */
const boundedText = async ({ body }: Response): Promise<string | undefined> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

/** Reports only the error's code: its message may contain the address, with credentials. */
const connectionFault = (error: unknown): string => {
  const code = ((error as { cause?: { code?: unknown } })?.cause as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code)
    ? `no connection (${code})`
    : 'no connection';
};
