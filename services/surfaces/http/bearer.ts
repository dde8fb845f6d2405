import type { IncomingMessage } from 'node:http';
import type { Role } from '../../../schemas/http/roles.ts';
import { ServiceError } from '../../core/errors.ts';
import type { Principal } from '../../core/use-cases.ts';
import type { Accounts } from '../../use-cases/accounts/accounts.ts';
import { holds } from '../../use-cases/accounts/keys.ts';

const BEARER = /^Bearer +([A-Za-z0-9._~+/=-]+) *$/i;

/** The bearer token of a request, if it has one in the right form. */
export const bearerOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined =>
  BEARER.exec(headers.authorization ?? '')?.[1];

/** Returns the caller; 401 without a valid token, 403 when its key is revoked or it has none of the roles. */
export const authenticate = async (
  accounts: Pick<Accounts, 'authenticate'>,
  request: IncomingMessage,
  roles: readonly Role[],
): Promise<Principal> => {
  const token = bearerOf(request);
  if (token === undefined) {
    throw new ServiceError('unauthenticated', 'The header Authorization: Bearer <access_token> is missing.');
  }
  const principal = await accounts.authenticate(token);
  if (roles.length > 0 && !roles.some(role => holds(principal.roles, role))) {
    throw new ServiceError('forbidden', `The token lacks the role ${roles.join(' or ')}.`);
  }
  return principal;
};
