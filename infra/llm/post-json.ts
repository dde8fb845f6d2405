import type { EndpointFault } from '../../core/ports.ts';
import { traceHeaders } from '../../core/tracing/calls.ts';
import { retryAfterMs } from './retry-after.ts';

export interface ModelEndpoint {
  /** URL before the path of a call, for example `https://api.openai.com/v1`. */
  baseUrl: string;
  /** Sent as a bearer token; self-hosted servers need none. */
  apiKey?: string | undefined;
}

export interface PostOptions extends ModelEndpoint {
  path: `/${string}`;
  withinMs: number;
  /** Maximum bytes of an answer. */
  mostBytes: number;
}

export type Posted = { kind: 'answered'; value: unknown } | EndpointFault;

/** Makes a function that posts JSON to a model's endpoint and reads JSON: one request a call, no retries. */
export const makePostJson = ({ baseUrl, apiKey, path, withinMs, mostBytes }: PostOptions) => {
  const url = new URL(baseUrl);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  const headers = {
    'content-type': 'application/json',
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  };
  /** Rejects only if `signal` is aborted: a fault is an outcome. */
  return async (body: object, signal: AbortSignal): Promise<Posted> => {
    const late = AbortSignal.timeout(withinMs);
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, ...traceHeaders() },
        body: JSON.stringify(body),
        // Never send the key and the text to another address.
        redirect: 'manual',
        signal: AbortSignal.any([signal, late]),
      });
      return await outcomeOf(response, mostBytes);
    } catch (error) {
      signal.throwIfAborted();
      if (late.aborted) return { kind: 'away', reason: `no answer within ${withinMs / 1_000} s` };
      return { kind: 'away', reason: connectionFault(error) };
    }
  };
};

const outcomeOf = async (response: Response, mostBytes: number): Promise<Posted> => {
  if (response.status !== 200) {
    await response.body?.cancel();
    return statusFault(response);
  }
  const text = await boundedText(response, mostBytes);
  if (text === undefined)
    return { kind: 'away', reason: `an answer of more than ${mostBytes / 1_048_576} MiB` };
  try {
    return { kind: 'answered', value: JSON.parse(text) };
  } catch {
    return { kind: 'away', reason: 'an answer that is not JSON' };
  }
};

const statusFault = ({ status, headers }: Response): EndpointFault => {
  const fault = {
    reason: `HTTP ${status}`,
    retryAfterMs: retryAfterMs(headers.get('retry-after'), Date.now()),
  };
  if (status === 429) return { kind: 'limited', ...fault };
  const passes = status >= 500 || status === 408 || status === 425;
  return { kind: passes ? 'away' : 'refused', ...fault };
};

/** Returns undefined if the body has more bytes; the rest is not received. */
const boundedText = async ({ body }: Response, mostBytes: number): Promise<string | undefined> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) return undefined;
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
