/** Refusals of a rotation. */
import { isRangeWithin } from '../../../../core/address-ranges.ts';
import { ServiceError } from '../../../../core/errors.ts';
import type { ApiKeyDocument } from '../../../../projections/accounts/accounts-projection.ts';

type Validity = Pick<ApiKeyDocument, 'expires_at' | 'addresses'>;

const forbidden = (message: string): ServiceError => new ServiceError('forbidden', message);

/** Refuses a successor that would work longer, or from elsewhere, than the key of the caller who gets it. */
export const refuseWider = (own: Validity | undefined, key: Validity): void => {
  const end = own?.expires_at;
  if (end && (!key.expires_at || Date.parse(key.expires_at) > Date.parse(end)))
    throw forbidden('A key that outlives the caller can not be rotated by it.');
  const ranges = own?.addresses;
  if (ranges && !key.addresses?.every(range => isRangeWithin(range, ranges)))
    throw forbidden('A key with an address that the caller lacks can not be rotated by it.');
};

/** An identity signs in by its entry: to retire it would lock it out. */
export const isIdentity = (): ServiceError =>
  new ServiceError('conflict', 'It is an identity, which has no secret to rotate.');

export const rotatedAlready = (): ServiceError =>
  new ServiceError('conflict', 'Another key took its place already, or it was revoked.');
