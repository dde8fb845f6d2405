import { identityOperations } from '../../../../schemas/http/identities.ts';
import { tokenOperations } from '../../../../schemas/http/tokens.ts';
import type { Accounts } from '../../../use-cases/accounts/accounts.ts';
import { answering, type Endpoint, route } from '../endpoint.ts';

const { exchangeToken, refreshToken, signingKeys } = tokenOperations;
const { listIdentityProviders, exchangeIdentityCode, exchangeIdentityToken } = identityOperations;

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
  route(listIdentityProviders, async () => ({ providers: await accounts.identities.offered() })),
  route(exchangeIdentityCode, async ({ body, address, context }) => {
    const { provider, code, code_verifier, redirect_uri, nonce, iss } = await body();
    const grant = { provider, code, codeVerifier: code_verifier, redirectUri: redirect_uri, nonce, iss };
    return accounts.identities.withCode(grant, address, context);
  }),
  route(exchangeIdentityToken, async ({ body, address, context }) => {
    const { token } = await body();
    return accounts.identities.withToken(token, address, context);
  }),
  answering(signingKeys, async () => ({
    status: 200,
    body: accounts.jwks(),
    headers: { 'Cache-Control': 'public, max-age=300' },
  })),
];
