import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../../../core/errors.ts';
import { boundSession } from '../../../../core/scope.ts';
import type { Caller } from '../../../../core/use-cases.ts';
import type { Accounts } from '../../../use-cases/accounts/accounts.ts';
import { holds } from '../../../use-cases/accounts/keys/keys.ts';
import type { GuardedEndpoint } from '../endpoint.ts';

const BEARER = /^Bearer +([A-Za-z0-9._~+/=-]+) *$/i;
const KEY_HEADER = 'x-api-key';

/** The bearer token of a request, if it has one in the right form. */
export const bearerOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined =>
  BEARER.exec(headers.authorization ?? '')?.[1];

/** The client's address, as seen through trusted proxies, and the id of its request. */
interface From {
  address: string;
  requestId: string;
}

type Authenticating = Pick<Accounts, 'authenticate' | 'authenticateKey'>;

/** The caller by its API key or else by its token. */
const callerOf = (
  accounts: Authenticating,
  request: Pick<IncomingMessage, 'headers'>,
  { address, requestId }: From,
): Promise<Caller> => {
  const apiKey = request.headers[KEY_HEADER];
  if (apiKey !== undefined)
    return accounts.authenticateKey(String(apiKey), address, { correlationId: requestId });
  const token = bearerOf(request);
  if (token === undefined)
    throw new ServiceError(
      'unauthenticated',
      'The header Authorization: Bearer <access_token>, or X-API-Key: <API key>, is missing.',
    );
  if (token.startsWith('ts_'))
    throw new ServiceError(
      'unauthenticated',
      'An API key is not a token: send it in the header X-API-Key, or exchange it at POST /auth/token-exchange.',
    );
  return accounts.authenticate(token, address);
};

/**
 * Returns the caller; 401 without a valid credential, 403 when its key is revoked, when it has none of the
 * roles, or when the endpoint reaches further than a strict key may; that is told to `onRefused` first.
 */
export const authenticate = async (
  accounts: Authenticating,
  request: Pick<IncomingMessage, 'headers'>,
  { roles, reach }: Pick<GuardedEndpoint, 'roles' | 'reach'>,
  from: From,
  onRefused?: (caller: Caller) => void,
): Promise<Caller> => {
  const caller = await callerOf(accounts, request, from);
  if (roles.length > 0 && !roles.some(role => holds(caller.roles, role))) {
    onRefused?.(caller);
    throw new ServiceError('forbidden', `The credential lacks the role ${roles.join(' or ')}.`);
  }
  const isBound =
    reach === 'organization' ? caller.strict : reach === 'user' && boundSession(caller) !== undefined;
  if (isBound) {
    onRefused?.(caller);
    throw new ServiceError('forbidden', 'A strict key reaches its own user and session alone.');
  }
  return caller;
};
