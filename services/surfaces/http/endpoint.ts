import type { Check, Checked } from '../../../schemas/ajv.ts';
import type { Role } from '../../../schemas/http/requests.ts';
import type { CallContext, Principal } from '../../core/use-cases.ts';

/** A request as its endpoint sees it: nothing of HTTP but what the contract speaks of. */
export interface Call {
  params: Record<string, string>;
  /** Its members, checked; throws `malformed` or `invalid` with all of their faults. */
  query<T>(check: (query: URLSearchParams) => Checked<T>): T;
  context: CallContext;
  /** The client's address, behind the trusted proxies. */
  address: string;
  /** Whether the client takes an answer in this encoding. */
  accepts(encoding: 'gzip'): boolean;
  hasQuery: boolean;
  hasBody: boolean;
  /** The body, parsed and checked; throws `malformed` or `invalid` with all of its faults. */
  body<T>(check: Check<T>): T;
}

export type GuardedCall = Call & {
  principal: Principal;
  /** `Last-Event-ID`: where a stream of events that broke is to go on. */
  lastEventId: string | undefined;
  /** Aborted when the client has gone, and when the service closes. */
  signal: () => AbortSignal;
  /** Whether the token still lets its principal call. */
  isAllowed: () => Promise<boolean>;
};

export interface Answer {
  status: number;
  /** Sent as JSON, unless `contentType` says what the string or the bytes are. */
  body?: unknown;
  /**
   * Instead of a body: sent piece by piece, as fast as the client reads, and no deadline applies. What is thrown before
   * the first piece is an ordinary answer; later it cuts the connection, so that nobody takes a part for the whole.
   */
  pieces?: AsyncIterable<string>;
  contentType?: string;
  headers?: Record<string, string>;
}

type Method = 'get' | 'post' | 'delete';

interface Place {
  method: Method;
  /** As express writes it: `/me/api-keys/:id`. */
  path: string;
  /** Of a method that has none as a rule. */
  takesBody?: true;
  /** Asked by machines all day: its requests are logged at debug. */
  quiet?: boolean;
}

export type Endpoint = Place &
  (
    | { access: 'open'; handle: (call: Call) => Promise<Answer> }
    /** A token that has one of the roles; with none named, any token. */
    | { access: 'token'; roles: readonly Role[]; handle: (call: GuardedCall) => Promise<Answer> }
  );

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const created = (body: unknown): Answer => ({ status: 201, body });
