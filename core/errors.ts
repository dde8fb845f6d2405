/**
 * The only table from an error code to its HTTP status. Expected outcomes are return values; a `ServiceError`
 * ends a call early. Messages are for people and never echo the caller's input.
 */
const STATUS = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  quota_exceeded: 429,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof STATUS;
export const ERROR_CODES = Object.keys(STATUS) as ErrorCode[];

export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** The `details` of the error body. */
  readonly details: Record<string, unknown> | null;
  /** Seconds for `Retry-After`, when a retry may succeed. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: Record<string, unknown>; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.status = STATUS[code];
    this.details = options.details ?? null;
    this.retryAfter = options.retryAfter;
  }
}

/**
 * Returns the error for a request that no schema could check, with its only fault; `loc` and `type` as in the
 * schemas' faults.
 */
export const malformed = (
  message: string,
  fault: { loc: string[]; type: string; message: string },
  cause?: unknown,
): ServiceError => new ServiceError('malformed', message, { details: { errors: [fault] }, cause });

/**
 * Returns the error for an engine that is temporarily unreachable or full: nothing was stored, and the caller
 * may retry.
 */
export const unavailable = (message: string, cause?: unknown, retryAfter = 1): ServiceError =>
  new ServiceError('unavailable', message, { retryAfter, cause });

export const isOutage = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'unavailable';
