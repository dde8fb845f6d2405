import type { IncomingMessage, ServerResponse } from 'node:http';
import { addressName } from '../../../core/address-name.ts';
import { ServiceError } from '../../../core/errors.ts';
import { asShortCall } from '../../../core/fairness/large-steps.ts';
import type { CursorSeal } from '../../../core/sealed-cursors.ts';
import { roundEnd } from '../../../core/timing/round.ts';
import { inSpan, isTracing, traced } from '../../../core/tracing/spans.ts';
import type { CallContext, Caller } from '../../../core/use-cases.ts';
import type { Screened } from '../../../domain/screening/screen.ts';
import type { Check, Checked } from '../../../schemas/ajv.ts';
import type { Accounts } from '../../use-cases/accounts/accounts.ts';
import type { AuditNotes } from '../../use-cases/audit/audit-notes.ts';
import type { RateLimits } from '../../use-cases/limits/rate-limits.ts';
import { send } from './answer/send-answer.ts';
import { sendPieces } from './answer/send-pieces.ts';
import { makeAudited } from './audited.ts';
import type { Answer, Call, Endpoint, GuardedCall, GuardedEndpoint } from './endpoint.ts';
import { exchangeOf } from './exchange.ts';
import { acceptsGzip } from './request/accepts-gzip.ts';
import { authenticate, bearerOf } from './request/bearer.ts';
import { makeBytesInFlight } from './request/bytes-in-flight.ts';
import { openedCursor, openedQuery, sealedAnswer } from './request/cursors.ts';
import { parseQuery } from './request/parse-query.ts';
import {
  arrivedBody,
  type BodyLimits,
  ClientGone,
  checked,
  checkedBody,
  KNOWN_BODY,
  OPEN_BODY,
  readBody,
  SMALL_BYTES,
  screenedBody,
} from './request/request-body.ts';
import { type RunningDeadline, startDeadline } from './request/request-deadline.ts';
import { inServerSpans } from './traced.ts';

export interface ServeOptions {
  accounts: Accounts;
  cursors: CursorSeal;
  rateLimits?: RateLimits | undefined;
  /** Takes what is noted of calls; default: nothing is. */
  notes?: Pick<AuditNotes, 'note'> | undefined;
  /** Returns the client's address, as seen through trusted proxies. */
  addressOf: (request: IncomingMessage) => string;
  refuse: (response: ServerResponse, error: unknown) => void;
  /** Aborted when the service closes: ends all streams. */
  closing?: AbortSignal | undefined;
  /** Milliseconds that a use case may take; set by tests. */
  deadlineMs?: number | undefined;
}

type Params = Record<string, string>;

/** Answers a request whose exchange has begun. `params`: of its path. Never rejects. */
export type Serve = (request: IncomingMessage, response: ServerResponse, params: Params) => Promise<void>;

/**
 * authenticate → limit → read → parse and check → call the use case → send its answer or its error. Requests
 * that arrive in one round of the event loop go this way side by side. The use case is cancelled at its
 * deadline, and when the client disconnects.
 */
export const makeServe = (options: ServeOptions) => {
  const audited = makeAudited(options.notes ?? { note: async () => {} });
  const bytesOf = makeBytesInFlight();
  const authenticated = traced('authenticate', authenticate);

  /**
   * Returns the caller, undefined on an open endpoint; throws for one that has no right to call, or calls too
   * often.
   */
  const admit = async (
    endpoint: Endpoint,
    request: IncomingMessage,
    of: { address: string; requestId: string },
  ): Promise<Caller | undefined> => {
    if (endpoint.access === 'open') {
      // Polled endpoints are cheap to answer, and an orchestrator restarts a process that refuses them.
      if (!endpoint.quiet) await options.rateLimits?.ofAddress(of.address);
      return undefined;
    }
    const caller = await authenticated(options.accounts, request, endpoint, of, refused =>
      audited.refused(endpoint.right, refused, of),
    );
    await options.rateLimits?.ofOrganization(caller.orgId);
    return caller;
  };

  /** Reads the body of a caller who was admitted. Its bytes count until the answer is sent. */
  const bodyOf = (
    request: IncomingMessage,
    response: ServerResponse,
    owner: string,
    limits: BodyLimits,
    deadline: RunningDeadline,
  ): Buffer | Promise<Buffer> => {
    // Its end was told already, and would give nothing back.
    if (response.destroyed) throw new ClientGone();
    const held = bytesOf(owner);
    exchangeOf(response).whenOver.push(held.release);
    // How long its body takes is its client's affair.
    return arrivedBody(request, limits, held) ?? deadline.paused(() => readBody(request, limits, held));
  };

  const answerOf = async (
    endpoint: Endpoint,
    request: IncomingMessage,
    response: ServerResponse,
    params: Params,
    deadline: RunningDeadline,
  ): Promise<Answer> => {
    const exchange = exchangeOf(response);
    const { requestId } = exchange;
    const address = options.addressOf(request);
    const caller = await deadline.limit(admit(endpoint, request, { address, requestId }));
    exchange.principal = caller;
    const org = caller?.orgId ?? '';
    const [owner, limits] = caller
      ? [`org ${org}`, KNOWN_BODY]
      : [`address ${addressName(address)}`, OPEN_BODY];
    const raw = endpoint.takesBody ? await bodyOf(request, response, owner, limits, deadline) : undefined;
    const onOver = (): void => {
      if (!response.writableFinished) deadline.cancel(new ClientGone());
    };
    exchange.whenOver.push(onOver);
    if (response.destroyed) onOver();
    const context = { correlationId: requestId, deadline };
    const call = callOf(options.cursors, request, params, address, raw, caller, context);
    const work =
      endpoint.access === 'open'
        ? endpoint.handle(call)
        : audited.handle(
            endpoint,
            {
              ...call,
              ...streamPartsOf(options, endpoint, request, response, org),
              principal: caller!,
              context: { ...context, caps: caller!.caps, budgets: caller!.budgets },
            },
            caller!.isUnused && (() => options.accounts.keepInUse(org, context)),
          );
    const isShort = raw !== undefined && raw.length <= SMALL_BYTES;
    const limited = deadline.limit(work);
    return isShort ? asShortCall(limited) : limited;
  };

  return (endpoint: Endpoint): Serve =>
    inServerSpans(endpoint, async (request, response, params) => {
      const exchange = exchangeOf(response);
      exchange.route = endpoint.path;
      exchange.quiet = endpoint.quiet === true;
      try {
        await roundEnd();
        const deadline = startDeadline(options.deadlineMs);
        const answer = await answerOf(endpoint, request, response, params, deadline).finally(deadline.end);
        exchange.isStream = answer.pieces !== undefined;
        if (answer.pieces) await sendPieces(request, response, { ...answer, pieces: answer.pieces });
        else send(response, sealedAnswer(options.cursors, answer, exchange.principal?.orgId ?? ''));
      } catch (error) {
        options.refuse(response, error);
      }
    });
};

const NO_BODY = Buffer.alloc(0);

const callOf = (
  cursors: CursorSeal,
  request: IncomingMessage,
  params: Params,
  address: string,
  raw: Buffer = NO_BODY,
  caller: Caller | undefined,
  context: CallContext,
): Call & Pick<GuardedCall, 'screened'> => {
  let told: { screened?: Screened } = {};
  const { url = '' } = request;
  const by = { org: caller?.orgId ?? '', signal: context.deadline?.signal };
  const body = <T>(check: Check<T>): Promise<T> =>
    caller?.screen === 'secrets'
      ? screenedBody(raw, check, by, screened => {
          told = { screened };
        })
      : checkedBody(raw, check, by);
  return {
    params,
    query: <T>(check: (query: URLSearchParams) => Checked<T>): T =>
      checked(check(openedQuery(cursors, parseQuery(url), by.org))),
    context,
    address,
    bearer: bearerOf(request),
    // A program's `*/*` asks for nothing in particular.
    acceptsHtml: () => request.headers.accept?.includes('text/html') ?? false,
    acceptsGzip: () => acceptsGzip(request.headers['accept-encoding']?.toString()),
    hasQuery: /[?]./s.test(url),
    hasBody: raw.length > 0,
    body: isTracing() ? check => inSpan('check body', () => body(check)) : body,
    screened: () => told,
  };
};

const lastEventIdOf = (cursors: CursorSeal, request: IncomingMessage, org: string): string | undefined => {
  const given = request.headers['last-event-id']?.toString();
  return given && openedCursor(cursors, given, org);
};

/** The parts that a stream needs in addition to its call. */
const streamPartsOf = (
  {
    accounts,
    cursors,
    closing,
    addressOf,
  }: Pick<ServeOptions, 'accounts' | 'cursors' | 'closing' | 'addressOf'>,
  endpoint: GuardedEndpoint,
  request: IncomingMessage,
  response: ServerResponse,
  org: string,
): Pick<GuardedCall, 'lastEventId' | 'sealed' | 'signal' | 'isAllowed'> => ({
  lastEventId: lastEventIdOf(cursors, request, org),
  sealed: position => cursors.seal(position, org),
  signal: () => {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    return closing ? AbortSignal.any([gone.signal, closing]) : gone.signal;
  },
  isAllowed: async () => {
    try {
      const { requestId } = exchangeOf(response);
      await authenticate(accounts, request, endpoint, { address: addressOf(request), requestId });
      return true;
    } catch (error) {
      if (error instanceof ServiceError && error.code !== 'unavailable') return false;
      throw error;
    }
  },
});
