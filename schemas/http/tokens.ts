/** Exchange of API keys for tokens. */
import { type Check, makeCheck } from '../ajv.ts';
import type { FromSchema } from '../from-schema.ts';
import { body, json, open } from './operation.ts';
import { component, list, object, string } from './parts/parts.ts';

const credential = { type: 'string', 'x-unicode': true } as const;

const exchange = component('TokenExchange', object({ api_key: credential }));
const refresh = component('TokenRefresh', object({ refresh_token: credential }));

export const checkExchange: Check<FromSchema<typeof exchange.schema>> = makeCheck(exchange.schema);
export const checkRefresh: Check<FromSchema<typeof refresh.schema>> = makeCheck(refresh.schema);

const tokens = component(
  'Tokens',
  object({
    access_token: { type: 'string', description: 'RS256-signed JWT; valid for 24 hours.' },
    refresh_token: { type: 'string', description: 'JWT; valid for 7 days; store the one returned.' },
    token_type: { type: 'string', enum: ['bearer'] },
    expires_in: { type: 'integer', description: 'Lifetime of the access token in seconds.' },
  }),
);
export type TokenAnswer = FromSchema<typeof tokens.schema>;

const jwks = component(
  'Jwks',
  object({
    keys: list(object({ kty: string, kid: string, use: string, alg: string, n: string, e: string })),
  }),
);

const example: TokenAnswer = {
  access_token: 'eyJ…',
  refresh_token: 'eyJ…',
  token_type: 'bearer',
  expires_in: 86_400,
};

export const tokenOperations = {
  exchangeToken: open({
    method: 'post',
    path: '/auth/token-exchange',
    summary: 'Exchange an API key for tokens',
    description: 'Failed exchanges are rate-limited by client address and by key.',
    tag: 'Tokens',
    request: body(exchange, checkExchange, { api_key: 'ts_…' }),
    answer: json(200, 'An access token for 24 hours and a refresh token for 7 days.', tokens, example),
    statuses: [401, 403, 429, 503],
  }),
  refreshToken: open({
    method: 'post',
    path: '/auth/refresh',
    summary: 'Renew the tokens',
    description:
      'The refresh token is rotated: store the one returned. A used one presented again gets the same successor within 60 seconds, and for as long as no answer was delivered (it was lost, or a 503); otherwise, or once the successor has been used, it revokes its whole family.',
    tag: 'Tokens',
    request: body(refresh, checkRefresh, { refresh_token: 'eyJ…' }),
    answer: json(200, 'A new access token and the next refresh token.', tokens, example),
    statuses: [401, 503],
  }),
  signingKeys: open({
    method: 'get',
    path: '/.well-known/jwks.json',
    summary: 'Get the keys that verify tokens',
    tag: 'Tokens',
    answer: json(200, 'A JWK set; a token names its key by kid.', jwks, {
      keys: [{ kty: 'RSA', kid: '4hrxz6ur…', use: 'sig', alg: 'RS256', n: 'w5dK…', e: 'AQAB' }],
    }),
    statuses: [],
  }),
};
