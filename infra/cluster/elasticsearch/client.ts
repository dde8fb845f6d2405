import { Client, errors } from '@elastic/elasticsearch';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { unavailable } from '../../../services/core/errors.ts';

/** How long an answer may take, in milliseconds. A recall is of use for seconds, a bulk is sent again when it fails. */
const TIMEOUT_MS = 10_000;

export interface Request {
  query?: Record<string, string | number | boolean>;
  /** One JSON document. */
  body?: object;
  /** Lines of JSON, for `_bulk` and `_msearch`. */
  lines?: string[];
  timeoutMs?: number;
  /** Statuses that are an answer and no fault. */
  accepted?: number[];
}

export interface Elasticsearch {
  /** Asks the REST API. `unavailable` for an outage; what is asked wrongly throws a plain error, which names no words. */
  ask<T>(method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE', path: string, request?: Request): Promise<T>;
  /** Throws what `ask` would have thrown for one answer of several. */
  check(response: { status?: number; error?: { type?: string } }): void;
  close(): Promise<void>;
}

/** What the engine did not take, by its type alone: its text may quote what was sent. */
export class ElasticsearchRefusal extends Error {
  readonly status: number;
  readonly type: string;

  constructor(status: number, type: string) {
    super(`Elasticsearch refused a request with ${status}, ${type}`);
    this.status = status;
    this.type = type;
  }
}

export const connectElasticsearch = (config: Pick<ClusterConfig, 'elasticsearchUrl'>): Elasticsearch => {
  const client = new Client({ node: config.elasticsearchUrl, requestTimeout: TIMEOUT_MS, maxRetries: 1 });
  return {
    ask: async <T>(
      method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE',
      path: string,
      { query, body, lines, timeoutMs = TIMEOUT_MS, accepted = [] }: Request = {},
    ): Promise<T> => {
      const content = lines ? { bulkBody: `${lines.join('\n')}\n` } : { body };
      try {
        const options = { requestTimeout: timeoutMs, ignore: accepted };
        return (await client.transport.request(
          { method, path, querystring: query, ...content },
          options,
        )) as T;
      } catch (error) {
        throw translated(error);
      }
    },
    check: ({ status = 0, error }) => {
      if (error) throw fault(status, error.type);
    },
    close: () => client.close(),
  };
};

/** 404: the index is not there, which is a matter of setting up; 401 and 403: of the key. Neither is the caller's. */
const OUTSIDE = new Set([401, 403, 404, 408, 429]);

const translated = (error: unknown): Error => {
  if (error instanceof errors.ResponseError) {
    const body = error.body as { error?: { type?: string } } | undefined;
    return fault(error.statusCode ?? 0, body?.error?.type);
  }
  // The client's own errors hold the request: what goes on is their kind.
  return outage(error instanceof Error ? error.name : 'fault');
};

const fault = (status: number, type = 'fault'): Error =>
  status >= 500 || OUTSIDE.has(status)
    ? outage(`${status}, ${type}`)
    : new ElasticsearchRefusal(status, type);

const outage = (kind: string): Error => unavailable("Elasticsearch can't be reached right now.", kind);
