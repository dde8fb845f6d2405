import { type ErrorCode, ServiceError } from '../errors.ts';

/**
 * An error as it passes between threads. A structured clone of a `ServiceError` loses its code and its
 * `Retry-After`, so an outage would look like a bug.
 */
export interface CarriedError {
  message: string;
  stack?: string | undefined;
  /** Set for a `ServiceError` only. */
  service?: {
    code: ErrorCode;
    details: Record<string, unknown> | null;
    retryAfter: number | undefined;
    /** For the logger. */
    cause: string | undefined;
  };
}

const textOf = (cause: unknown): string | undefined => {
  if (cause === undefined) return undefined;
  return cause instanceof Error ? cause.message : String(cause);
};

export const carriedError = (error: unknown): CarriedError => {
  if (!(error instanceof Error)) return { message: 'unknown fault' };
  const { message, stack } = error;
  if (!(error instanceof ServiceError)) return { message, stack };
  const { code, details, retryAfter, cause } = error;
  return { message, stack, service: { code, details, retryAfter, cause: textOf(cause) } };
};

/** Restores a carried error, with the stack of the thread that threw it. */
export const errorOf = ({ message, stack, service }: CarriedError): Error => {
  const error = service
    ? new ServiceError(service.code, message, { ...service, details: service.details ?? undefined })
    : new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
};
