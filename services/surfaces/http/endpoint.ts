import type { Check, Checked } from '../../../schemas/ajv.ts';
import type { Reach } from '../../../schemas/http/operation.ts';
import type { Role } from '../../../schemas/http/roles.ts';
import type { CallContext, CappedContext, Principal } from '../../core/use-cases.ts';

/** A request as its endpoint sees it, reduced to the parts of HTTP that the contract defines. */
export interface Call {
  params: Record<string, string>;
  /** The checked query; throws `malformed` or `invalid` with every fault. */
  query<T>(check: (query: URLSearchParams) => Checked<T>): T;
  context: CallContext;
  /** The client's address, as seen through trusted proxies. */
  address: string;
  /** The bearer token, unchecked. */
  bearer: string | undefined;
  /** Whether the client accepts an answer in this encoding. */
  accepts(encoding: 'gzip'): boolean;
  hasQuery: boolean;
  hasBody: boolean;
  /** The body, parsed and checked; throws `malformed` or `invalid` with every fault. */
  body<T>(check: Check<T>): Promise<T>;
}

export type GuardedCall = Call & {
  principal: Principal;
  context: CappedContext;
  /** `Last-Event-ID`: where an interrupted event stream resumes. */
  lastEventId: string | undefined;
  /** Aborted when the client disconnects and when the service closes. */
  signal: () => AbortSignal;
  /** Whether the token still allows this call. */
  isAllowed: () => Promise<boolean>;
};

export interface Answer {
  status: number;
  /** Sent as JSON, or unchanged (a string or bytes) with `contentType`. */
  body?: unknown;
  /**
   * Replaces the body: streamed at the client's reading speed, without a deadline. An error before the first piece gives
   * an ordinary answer; a later one aborts the connection, so that a client can't mistake a part for the whole.
   */
  pieces?: AsyncIterable<string>;
  contentType?: string;
  headers?: Record<string, string>;
  /** Called once the answer was written out whole; never when the client was gone by then. */
  sent?: () => void;
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

interface Place {
  method: Method;
  /** In express's form: `/me/api-keys/:id`. */
  path: string;
  /** Set when the method usually has no body but this endpoint takes one. */
  takesBody?: true;
  /** Polled by machines: its requests are logged at debug level. */
  quiet?: boolean;
}

interface OpenEndpoint extends Place {
  access: 'open';
  handle: (call: Call) => Promise<Answer>;
}

export interface GuardedEndpoint extends Place {
  access: 'token';
  /** A credential with one of these; any if the list is empty. */
  roles: readonly Role[];
  /** `organization`: no strict key may call it. `scope`: its use case keeps a strict key in its user and session. */
  reach: Reach;
  handle: (call: GuardedCall) => Promise<Answer>;
}

export type Endpoint = OpenEndpoint | GuardedEndpoint;

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const done: Answer = { status: 204 };
export const created = (body: unknown): Answer => ({ status: 201, body });
