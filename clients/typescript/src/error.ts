/** The kind of failure, to branch on. */
export type ErrorCode =
  /** 400: the call has a fault of form; `details.errors` lists all. */
  | 'malformed'
  /** 401: the API key is unknown. */
  | 'unauthenticated'
  /** 403: the key is revoked, or lacks the role. */
  | 'forbidden'
  /** 404 */
  | 'not_found'
  /** 409 */
  | 'conflict'
  /** 413: the body is larger than 4 MiB. */
  | 'too_large'
  /** 422: the call breaks a rule of value; `details.errors` lists all. */
  | 'invalid'
  /** 429: a daily cap is reached; it is reset at 00:00 UTC. */
  | 'quota_exceeded'
  /** 429: too many calls. */
  | 'rate_limited'
  /** 500 */
  | 'internal'
  /** 408, 502, 503, 504: temporarily unreachable. */
  | 'unavailable'
  /** Any other unsuccessful status. */
  | 'refused'
  /** No answer: the connection failed or broke. */
  | 'network'
  /** No answer in time. */
  | 'timeout'
  /** Aborted by the caller's signal; `cause` is its reason. */
  | 'aborted'
  /** A successful status with a body that is not Turnstone's: another service listens at the address. */
  | 'unexpected_answer'
  /** The client's options are invalid. */
  | 'configuration'
  /** Some turns of a batch were not stored; `details.failed` lists them. */
  | 'not_stored';

export interface ErrorFields {
  code: ErrorCode;
  status?: number | undefined;
  requestId?: string | undefined;
  details?: Record<string, unknown> | null | undefined;
  retryAfter?: number | undefined;
  cause?: unknown;
}

/** The only error that a client throws. Contains no key and no text of a turn. */
export class TurnstoneError extends Error {
  readonly code: ErrorCode;
  /** HTTP status; undefined without an answer. */
  readonly status: number | undefined;
  /** Identifies the call in the service's log: the `X-Correlation-ID` of all its attempts. */
  readonly requestId: string | undefined;
  /** From the service: the faults of a 400 or 422 in `errors`, the members of a quota's 429. */
  readonly details: Record<string, unknown> | null;
  /** Seconds to wait, as requested by the service. */
  readonly retryAfter: number | undefined;

  constructor(message: string, fields: ErrorFields) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.name = 'TurnstoneError';
    this.code = fields.code;
    this.status = fields.status;
    this.requestId = fields.requestId;
    this.details = fields.details ?? null;
    this.retryAfter = fields.retryAfter;
  }
}

/** The error for invalid options of the client. */
export const misconfigured = (message: string): TurnstoneError =>
  new TurnstoneError(message, { code: 'configuration' });

const BY_STATUS: Record<number, ErrorCode> = {
  400: 'malformed',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  408: 'unavailable',
  409: 'conflict',
  413: 'too_large',
  422: 'invalid',
  500: 'internal',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

/** `details.error` distinguishes a quota's 429 from others. */
export const codeOf = (status: number, details: Record<string, unknown> | null): ErrorCode =>
  status === 429
    ? details?.error === 'quota_exceeded'
      ? 'quota_exceeded'
      : 'rate_limited'
    : (BY_STATUS[status] ?? 'refused');
