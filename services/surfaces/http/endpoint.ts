import { type ErrorCode, ServiceError } from '../../../core/errors.ts';
import { mayRead } from '../../../core/scope.ts';
import type { BudgetedContext, CallContext, CappedContext, Principal } from '../../../core/use-cases.ts';
import type { Screened } from '../../../domain/screening/screen.ts';
import type { Check, Checked } from '../../../schemas/ajv.ts';
import type {
  AnsweredBy,
  AskedOf,
  GuardedOperation,
  Operation,
  SentTo,
} from '../../../schemas/http/operation.ts';
import type { OnlyId } from '../../../schemas/http/parts/parts.ts';
import type { Role } from '../../../schemas/http/parts/roles.ts';
import type { Reach, Right } from '../../../schemas/http/rights.ts';

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
  /** Whether the client accepts an answer in gzip. */
  acceptsGzip(): boolean;
  /** Whether the client is a browser that asks for a page. */
  acceptsHtml(): boolean;
  hasQuery: boolean;
  hasBody: boolean;
  /** The body, parsed and checked; throws `malformed` or `invalid` with every fault. */
  body<T>(check: Check<T>): Promise<T>;
}

export type GuardedCall = Call & {
  principal: Principal;
  context: CappedContext & BudgetedContext;
  /** `Last-Event-ID`: where an interrupted event stream resumes. */
  lastEventId: string | undefined;
  /** A position of the feed as it leaves the service: sealed-cursors.ts. */
  sealed: (position: string) => string;
  /** Aborted when the client disconnects and when the service closes. */
  signal: () => AbortSignal;
  /** How many secrets were replaced in the body, once it was read; nothing where none are looked for. */
  screened: () => { screened?: Screened };
  /** Whether the token still allows this call. */
  isAllowed: () => Promise<boolean>;
};

export interface Answer {
  status: number;
  /** Sent as JSON, or unchanged (a string or bytes) with `contentType`. */
  body?: unknown;
  /**
   * Replaces the body: streamed at the client's reading speed, without a deadline. An error before the first
   * piece gives an ordinary answer; a later one aborts the connection, so that a client can't mistake a part
   * for the whole.
   */
  pieces?: AsyncIterable<string>;
  contentType?: string;
  headers?: Record<string, string>;
  /** Called once the answer was written out whole; never when the client was gone by then. */
  sent?: () => void;
}

interface Route {
  method: Operation['method'];
  /** In express's form: `/me/api-keys/:id`. */
  path: string;
  takesBody?: boolean;
  /** Answers where nothing is, with a page: other methods are refused as at any path without an endpoint. */
  isForNothing?: boolean;
  /** Polled by machines: its requests are logged at debug level. */
  quiet?: boolean | undefined;
}

interface OpenEndpoint extends Route {
  access: 'open';
  handle: (call: Call) => Promise<Answer>;
}

export interface GuardedEndpoint extends Route {
  access: 'token';
  /** A credential with one of these; any if the list is empty. */
  roles: readonly Role[];
  reach: Reach;
  /** How the audit log has its calls. */
  right: Pick<Right, 'action' | 'noted' | 'target' | 'untold'>;
  handle: (call: GuardedCall) => Promise<Answer>;
}

export type Endpoint = OpenEndpoint | GuardedEndpoint;

/**
 * A call of one operation: its query and its body are checked by the operation's schemas when they are asked
 * for.
 */
type CallOf<O> = Omit<O extends GuardedOperation ? GuardedCall : Call, 'query' | 'body'> & {
  query(): AskedOf<O>;
  body(): Promise<SentTo<O>>;
};

/** Refusals that say what is stored, once the request itself has been checked. */
const TELLING: readonly ErrorCode[] = ['not_found', 'conflict', 'invalid'];

/**
 * Answers a caller without memory:read with the id alone, and with the same whether the call changed
 * something or found nothing to change: by the difference an id could be guessed, and an entity's id is
 * computed from its name.
 */
const untold =
  (
    { request, query, answer }: Operation,
    handle: (call: GuardedCall) => Promise<Answer>,
  ): ((call: GuardedCall) => Promise<Answer>) =>
  async call => {
    if (mayRead(call.principal)) return handle(call);
    // Faults of the request itself are told.
    if (query) call.query(query.check);
    const sent = request && (await call.body(request.check));
    let id = call.params.id;
    try {
      const { body } = await handle({ ...call, body: async <T>() => sent as T });
      id ??= (body as OnlyId | undefined)?.id;
    } catch (error) {
      if (!(error instanceof ServiceError && TELLING.includes(error.code))) throw error;
    }
    return { status: answer.status, ...(answer.schema && { body: { id } }) };
  };

/** Binds an operation to what handles it, which gives the whole answer. */
export const answering = <O extends Operation>(
  operation: O,
  handle: (call: CallOf<O>) => Promise<Answer>,
): Endpoint => {
  const { method, path, query, request, access, reach, polled } = operation;
  const bound = (call: Call): Promise<Answer> =>
    handle({
      ...call,
      query: () => query && call.query(query.check),
      body: async () => request && (await call.body(request.check)),
    } as CallOf<O>);
  const common = {
    method,
    path: path.replace(/\{(\w+)\}/g, ':$1'),
    takesBody: request !== undefined,
    quiet: polled,
  };
  return access === undefined
    ? { ...common, access: 'open', handle: bound }
    : {
        ...common,
        access: 'token',
        roles: access,
        reach,
        right: operation,
        handle: operation.untold ? untold(operation, bound) : bound,
      };
};

/** Binds an operation to what handles it, which gives the answer's body. */
export const route = <O extends Operation>(
  operation: O,
  handle: (call: CallOf<O>) => Promise<AnsweredBy<O>>,
): Endpoint =>
  answering(operation, async call => ({ status: operation.answer.status, body: await handle(call) }));
