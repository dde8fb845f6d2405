import { checkExchange, checkRefresh } from '../../../../schemas/http/tokens.ts';
import type { Accounts } from '../../../use-cases/accounts/accounts.ts';
import { type Endpoint, ok } from '../endpoint.ts';

export const authEndpoints = (accounts: Accounts): Endpoint[] => [
  {
    method: 'post',
    path: '/auth/token-exchange',
    access: 'open',
    handle: async ({ body, address, context }) => {
      const { api_key } = await body(checkExchange);
      return ok(await accounts.exchange(api_key, address, context));
    },
  },
  {
    method: 'post',
    path: '/auth/refresh',
    access: 'open',
    handle: async ({ body, context }) => {
      const { refresh_token } = await body(checkRefresh);
      const { answer, delivered } = await accounts.refresh(refresh_token, context);
      return { ...ok(answer), sent: delivered };
    },
  },
  {
    method: 'get',
    path: '/.well-known/jwks.json',
    access: 'open',
    handle: async () => ({
      ...ok(accounts.jwks()),
      headers: { 'Cache-Control': 'public, max-age=300' },
    }),
  },
];
