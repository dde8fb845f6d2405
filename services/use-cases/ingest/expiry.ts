import { ServiceError } from '../../../core/errors.ts';
import { DAY_MS } from '../../../core/time.ts';
import type { IngestBody } from '../../../schemas/http/ingestion.ts';
import { parseInstant } from '../../../schemas/http/queries/instant.ts';

/** The options of a write that set when it expires. */
export type Expiry = Pick<NonNullable<IngestBody['options']>, 'expires_at' | 'ttl_days'>;

/**
 * Returns when a write's data expires by itself, in Unix milliseconds; undefined: never. Decided once, when
 * the write is admitted, so that the log says the same to every reader.
 */
export const expiryOf = (options: Expiry | undefined, now: number): number | undefined => {
  const { expires_at: at, ttl_days: days } = options ?? {};
  if (at !== undefined) return parseInstant(at);
  return days === undefined ? undefined : now + days * DAY_MS;
};

/** Throws when the data would be expired already. @param gone makes the error; default: `invalid` */
export const assertLasting = (expiresAt: number | undefined, now: number, gone = hasPassed): void => {
  if (expiresAt !== undefined && expiresAt <= now) throw gone();
};

const hasPassed = (): ServiceError => {
  const fault = { loc: ['body', 'options', 'expires_at'], type: 'value', message: 'must be in the future' };
  return new ServiceError('invalid', 'The request breaks a rule.', { details: { errors: [fault] } });
};
