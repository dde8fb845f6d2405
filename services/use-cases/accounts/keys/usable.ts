import { inRanges } from '../../../../core/address-ranges.ts';
import { ServiceError } from '../../../../core/errors.ts';
import type { ApiKeyDocument } from '../../../../projections/accounts/accounts-projection.ts';

/** Whether its time is over. `now`: Unix milliseconds. */
export const isExpired = ({ expires_at }: Pick<ApiKeyDocument, 'expires_at'>, now: number): boolean =>
  expires_at !== undefined && Date.parse(expires_at) <= now;

/**
 * Throws where a key, or a token that was issued for it, may not be used by a client at this address:
 * `forbidden` for a revoked key or one of other addresses, `unauthenticated` for an expired one.
 *
 * @param now Unix milliseconds
 */
export const assertUsable = (key: ApiKeyDocument, address: string, now: number): void => {
  if (key.revoked_at) throw new ServiceError('forbidden', 'The API key is revoked.');
  if (isExpired(key, now)) throw new ServiceError('unauthenticated', 'The API key has expired.');
  if (key.addresses && !inRanges(key.addresses)(address))
    throw new ServiceError('forbidden', 'The API key is not for calls from this address.');
};
