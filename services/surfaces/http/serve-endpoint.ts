import type { Request, RequestHandler, Response } from 'express';
import { addressName } from '../../../core/address-name.ts';
import { ServiceError } from '../../../core/errors.ts';
import { asShortCall } from '../../../core/fairness/large-steps.ts';
import type { CursorSeal } from '../../../core/sealed-cursors.ts';
import type { CallContext, Caller, Principal } from '../../../core/use-cases.ts';
import type { Screened } from '../../../domain/screening/screen.ts';
import type { Check, Checked } from '../../../schemas/ajv.ts';
import type { Accounts } from '../../use-cases/accounts/accounts.ts';
import type { AuditNotes } from '../../use-cases/audit/audit-notes.ts';
import type { RateLimits } from '../../use-cases/limits/rate-limits.ts';
import { send } from './answer/send-answer.ts';
import { sendPieces } from './answer/send-pieces.ts';
import { makeAudited } from './audited.ts';
import type { Call, Endpoint, GuardedCall, GuardedEndpoint } from './endpoint.ts';
import { exchangeOf } from './exchange.ts';
import { authenticate, bearerOf } from './request/bearer.ts';
import { makeBytesInFlight } from './request/bytes-in-flight.ts';
import { openedCursor, openedQuery, sealedAnswer } from './request/cursors.ts';
import { parseQuery } from './request/parse-query.ts';
import {
  ClientGone,
  checked,
  checkedBody,
  KNOWN_BODY,
  OPEN_BODY,
  readBody,
  SMALL_BYTES,
  screenedBody,
} from './request/request-body.ts';
import { startDeadline } from './request/request-deadline.ts';

export interface ServeOptions {
  accounts: Accounts;
  cursors: CursorSeal;
  rateLimits?: RateLimits | undefined;
  /** Takes what is noted of calls; default: nothing is. */
  notes?: Pick<AuditNotes, 'note'> | undefined;
  refuse: (response: Response, error: unknown) => void;
  /** Aborted when the service closes: ends all streams. */
  closing?: AbortSignal | undefined;
  /** Milliseconds that a use case may take; set by tests. */
  deadlineMs?: number | undefined;
}

/**
 * authenticate → limit → read → parse and check → call the use case → send its answer or its error. The use
 * case is cancelled at its deadline, and when the client disconnects.
 */
export const makeServe = (options: ServeOptions) => {
  const audited = makeAudited(options.notes ?? { note: async () => {} });
  const bytesOf = makeBytesInFlight();

  /**
   * Returns the caller, undefined on an open endpoint; throws for one that has no right to call, or calls too
   * often.
   */
  const admit = async (
    endpoint: Endpoint,
    request: Request,
    correlationId: string,
  ): Promise<Caller | undefined> => {
    if (endpoint.access === 'open') {
      // Polled endpoints are cheap to answer, and an orchestrator restarts a process that refuses them.
      if (!endpoint.quiet) await options.rateLimits?.ofAddress(request.ip ?? '');
      return undefined;
    }
    const of = { address: request.ip ?? '', requestId: correlationId };
    const caller = await authenticate(options.accounts, request, endpoint, correlationId, refused =>
      audited.refused(endpoint.right, refused, of),
    );
    await options.rateLimits?.ofOrganization(caller.orgId);
    return caller;
  };

  /** Reads the body of a caller who was admitted. Its bytes count until the answer is sent. */
  const bodyOf = (
    request: Request,
    response: Response,
    principal: Principal | undefined,
  ): Promise<Buffer> => {
    const owner = principal ? `org ${principal.orgId}` : `address ${addressName(request.ip ?? '')}`;
    const held = bytesOf(owner);
    response.once('close', held.release);
    return readBody(request, principal ? KNOWN_BODY : OPEN_BODY, held);
  };

  return (endpoint: Endpoint): RequestHandler =>
    async (request, response) => {
      const exchange = exchangeOf(response);
      exchange.route = endpoint.path;
      exchange.quiet = endpoint.quiet === true;
      try {
        const admitting = startDeadline(options.deadlineMs);
        const caller = await admitting.limit(admit(endpoint, request, exchange.requestId));
        const leftMs = admitting.at - performance.now();
        exchange.principal = caller;
        const raw = endpoint.takesBody ? await bodyOf(request, response, caller) : undefined;
        // How long its body takes is its client's affair.
        const deadline = startDeadline(leftMs);
        const onClose = (): void => deadline.cancel(new ClientGone());
        response.once('close', onClose);
        if (response.destroyed) onClose();
        const context = { correlationId: exchange.requestId, deadline };
        const org = caller?.orgId ?? '';
        const call = callOf(options.cursors, request, raw, caller, context);
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
        const answer = await (isShort ? asShortCall(limited) : limited).finally(() =>
          response.off('close', onClose),
        );
        exchange.isStream = answer.pieces !== undefined;
        if (answer.pieces) await sendPieces(request, response, { ...answer, pieces: answer.pieces });
        else send(response, sealedAnswer(options.cursors, answer, org));
      } catch (error) {
        options.refuse(response, error);
      }
    };
};

const callOf = (
  cursors: CursorSeal,
  request: Request,
  raw: Buffer = Buffer.alloc(0),
  caller: Caller | undefined,
  context: CallContext,
): Call & Pick<GuardedCall, 'screened'> => {
  let told: { screened?: Screened } = {};
  const by = { org: caller?.orgId ?? '', signal: context.deadline?.signal };
  return {
    params: request.params as Record<string, string>,
    query: <T>(check: (query: URLSearchParams) => Checked<T>): T =>
      checked(check(openedQuery(cursors, parseQuery(request.url), by.org))),
    context,
    address: request.ip ?? '',
    bearer: bearerOf(request),
    accepts: encoding => request.acceptsEncodings(encoding) === encoding,
    hasQuery: /[?]./s.test(request.url),
    hasBody: raw.length > 0,
    body: <T>(check: Check<T>): Promise<T> =>
      caller?.screen === 'secrets'
        ? screenedBody(raw, check, by, screened => {
            told = { screened };
          })
        : checkedBody(raw, check, by),
    screened: () => told,
  };
};

const lastEventIdOf = (cursors: CursorSeal, request: Request, org: string): string | undefined => {
  const given = request.get('last-event-id');
  return given && openedCursor(cursors, given, org);
};

/** The parts that a stream needs in addition to its call. */
const streamPartsOf = (
  { accounts, cursors, closing }: Pick<ServeOptions, 'accounts' | 'cursors' | 'closing'>,
  endpoint: GuardedEndpoint,
  request: Request,
  response: Response,
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
      await authenticate(accounts, request, endpoint, exchangeOf(response).requestId);
      return true;
    } catch (error) {
      if (error instanceof ServiceError && error.code !== 'unavailable') return false;
      throw error;
    }
  },
});
