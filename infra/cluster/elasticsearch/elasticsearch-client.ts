import { Client, type ClientOptions, errors } from '@elastic/elasticsearch';
import { unavailable } from '../../../core/errors.ts';
import { traceHeaders } from '../../../core/tracing/calls.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { urlsOf } from '../../../schemas/config-values.ts';
import { tlsOptions, withTlsFault } from '../tls.ts';

/**
 * Milliseconds to wait for an answer: a recall is useless after a few seconds, and a failed bulk is sent
 * again.
 */
const TIMEOUT_MS = 10_000;

export interface Request {
  query?: Record<string, string | number | boolean>;
  /** One JSON document. */
  body?: object;
  /** NDJSON lines, for `_bulk` and `_msearch`. */
  lines?: string[];
  timeoutMs?: number;
  /** Error statuses to return as answers. */
  accepted?: number[];
  /**
   * Closes the request's connection, which makes the engine cancel the search; `ask` then throws its reason.
   */
  signal?: AbortSignal | undefined;
}

export interface Elasticsearch {
  /** Calls the REST API. Throws `unavailable` for an outage, `ElasticsearchRefusal` for a bad request. */
  ask<T>(method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE', path: string, request?: Request): Promise<T>;
  /** Throws what `ask` would throw, for one response of several. */
  check(response: { status?: number; error?: { type?: string } }): void;
  close(): Promise<void>;
}

/** A request that the engine refused. Contains only the error's type: its text may quote the request. */
export class ElasticsearchRefusal extends Error {
  readonly status: number;
  readonly type: string;

  constructor(status: number, type: string) {
    super(`Elasticsearch refused a request with ${status}, ${type}`);
    this.status = status;
    this.type = type;
  }
}

/** The connection settings; without `elasticsearch`, only the URL's credentials are used. */
export type ElasticsearchConnection = Pick<ClusterConfig, 'elasticsearchUrl'> &
  Partial<Pick<ClusterConfig, 'elasticsearch'>>;

const optionsOf = ({ elasticsearchUrl, elasticsearch }: ElasticsearchConnection): ClientOptions => {
  const nodes = urlsOf(elasticsearchUrl);
  const { user: username, password = '', apiKey } = elasticsearch ?? {};
  return {
    nodes,
    ...(apiKey !== undefined && { auth: { apiKey } }),
    ...(username !== undefined && { auth: { username, password } }),
    ...(nodes[0]?.startsWith('https:') && { tls: tlsOptions(elasticsearch) }),
    requestTimeout: TIMEOUT_MS,
    // Each further attempt asks another node: all but the last may be unreachable.
    maxRetries: Math.max(1, nodes.length - 1),
  };
};

export const connectElasticsearch = (config: ElasticsearchConnection): Elasticsearch => {
  const client = new Client(optionsOf(config));
  return {
    ask: async <T>(
      method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE',
      path: string,
      { query, body, lines, timeoutMs = TIMEOUT_MS, accepted = [], signal }: Request = {},
    ): Promise<T> => {
      const content = lines ? { bulkBody: `${lines.join('\n')}\n` } : { body };
      try {
        const headers = traceHeaders();
        const options = { requestTimeout: timeoutMs, ignore: accepted, headers, ...(signal && { signal }) };
        return (await client.transport.request(
          { method, path, querystring: query, ...content },
          options,
        )) as T;
      } catch (error) {
        signal?.throwIfAborted();
        throw translated(error);
      }
    },
    check: ({ status = 0, error }) => {
      if (error) throw fault(status, error.type);
    },
    close: () => client.close(),
  };
};

/** Returns the same connection for requests that this signal cancels. */
export const cancelledBy = (elasticsearch: Elasticsearch, signal: AbortSignal | undefined): Elasticsearch =>
  signal
    ? {
        ...elasticsearch,
        ask: (method, path, request) => elasticsearch.ask(method, path, { ...request, signal }),
      }
    : elasticsearch;

/** Statuses that our request did not cause: 404 is a missing index, 401 and 403 are wrong credentials. */
const OUTSIDE = new Set([401, 403, 404, 408, 429]);

const translated = (error: unknown): Error => {
  if (error instanceof errors.ResponseError) {
    const body = error.body as { error?: { type?: string } } | undefined;
    return fault(error.statusCode ?? 0, body?.error?.type);
  }
  // The client's own errors contain the request: keep only their name.
  return outage(error instanceof Error ? error.name : 'fault', error);
};

const fault = (status: number, type = 'fault'): Error =>
  status >= 500 || OUTSIDE.has(status)
    ? outage(`${status}, ${type}`)
    : new ElasticsearchRefusal(status, type);

const outage = (kind: string, error?: unknown): Error =>
  unavailable(withTlsFault("Elasticsearch can't be reached right now.", error), kind);
