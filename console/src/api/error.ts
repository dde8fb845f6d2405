import type { ErrorBody } from '../../../schemas/http/parts/error-components.ts';

/** A call that failed or got no answer (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly details: ErrorBody['details'];
  /** Seconds to wait, if the service says so. */
  readonly retryAfter: number | undefined;
  readonly requestId: string | undefined;

  constructor(
    status: number,
    message: string,
    more: { details?: ErrorBody['details']; retryAfter?: number; requestId?: string } = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.details = more.details ?? null;
    this.retryAfter = more.retryAfter;
    this.requestId = more.requestId;
  }
}
