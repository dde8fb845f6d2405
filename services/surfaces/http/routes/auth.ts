import { tokenOperations } from '../../../../schemas/http/tokens.ts';
import type { Accounts } from '../../../use-cases/accounts/accounts.ts';
import { answering, type Endpoint, route } from '../endpoint.ts';

const { exchangeToken, refreshToken, signingKeys } = tokenOperations;

export const authEndpoints = (accounts: Accounts): Endpoint[] => [
  route(exchangeToken, async ({ body, address, context }) => {
    const { api_key } = await body();
    return accounts.exchange(api_key, address, context);
  }),
  answering(refreshToken, async ({ body, address, context }) => {
    const { refresh_token } = await body();
    const { answer, delivered } = await accounts.refresh(refresh_token, address, context);
    return { status: 200, body: answer, sent: delivered };
  }),
  answering(signingKeys, async () => ({
    status: 200,
    body: accounts.jwks(),
    headers: { 'Cache-Control': 'public, max-age=300' },
  })),
];
