import { malformed, ServiceError } from '../../../../core/errors.ts';
import type { ErrorBody } from '../../../../schemas/http/parts/error-components.ts';
import type { Answer } from '../endpoint.ts';

const CHALLENGE = 'Bearer realm="turnstone"';

/** Whether it is the error that express throws for a path that it can't decode. */
const isBadPath = (error: unknown): boolean =>
  error instanceof URIError || (error as { status?: unknown } | null)?.status === 400;

/** An error that is not a `ServiceError` is internal: its message is only logged. */
export const asServiceError = (error: unknown): ServiceError => {
  if (error instanceof ServiceError) return error;
  if (isBadPath(error))
    return malformed(
      'The path is malformed.',
      { loc: ['path'], type: 'encoding', message: 'must be percent-encoded UTF-8' },
      error,
    );
  return new ServiceError('internal', 'Something went wrong on our side.', { cause: error });
};

/** The answer for an error, in the contract's form; `now` in Unix milliseconds. */
export const errorAnswer = (
  error: ServiceError,
  requestId: string,
  now: number,
): Answer & { body: ErrorBody } => {
  const body: ErrorBody = {
    error: `HTTP ${error.status}`,
    message: error.message,
    details: error.details,
    timestamp: new Date(now).toISOString(),
    request_id: requestId,
  };
  const headers: Record<string, string> = {};
  if (error.status === 401) headers['WWW-Authenticate'] = CHALLENGE;
  const retryAfter = error.retryAfter ?? (error.status === 503 ? 1 : undefined);
  if (retryAfter !== undefined) headers['Retry-After'] = String(retryAfter);
  return { status: error.status, body, headers };
};
