/** Signing in by an identity provider. */
import { type Check, makeCheck } from '../ajv.ts';
import type { FromSchema } from '../from-schema.ts';
import { body, json, open } from './operation.ts';
import { component, list, object, string, text } from './parts/parts.ts';

const code = component(
  'IdentityCode',
  object(
    {
      provider: text(1, 32),
      code: text(1, 4_096),
      code_verifier: {
        ...text(43, 128),
        pattern: '^[A-Za-z0-9._~-]+$',
        'x-rule': 'must be a code verifier of RFC 7636',
      },
      redirect_uri: { ...text(1, 2_048), pattern: '^https?://', 'x-rule': 'must be an http or https URL' },
      nonce: text(16, 256),
    },
    { iss: { ...text(1, 1_024), description: 'The parameter of this name, if the provider sent it along.' } },
  ),
);
const assertion = component('IdentityAssertion', object({ token: text(1, 8_192) }));

const checkIdentityCode: Check<FromSchema<typeof code.schema>> = makeCheck(code.schema);
const checkIdentityAssertion: Check<FromSchema<typeof assertion.schema>> = makeCheck(assertion.schema);

const offered = component(
  'IdentityProviders',
  object({
    providers: list(
      object({
        id: string,
        name: string,
        authorization_url: {
          type: 'string',
          description:
            'Where a person signs in. Add redirect_uri, state, nonce, code_challenge and code_challenge_method=S256.',
        },
      }),
    ),
  }),
);
const identityTokens = component(
  'IdentityToken',
  object({
    access_token: { type: 'string', description: 'RS256-signed JWT.' },
    token_type: { type: 'string', enum: ['bearer'] },
    expires_in: { type: 'integer', description: 'Its lifetime in seconds; then sign in again.' },
  }),
);
export type IdentityTokenAnswer = FromSchema<typeof identityTokens.schema>;

const example: IdentityTokenAnswer = { access_token: 'eyJ…', token_type: 'bearer', expires_in: 3_600 };
const answer = json(200, 'An access token for an hour. There is no refresh token.', identityTokens, example);

export const identityOperations = {
  listIdentityProviders: open({
    method: 'get',
    path: '/auth/identity-providers',
    summary: 'List the identity providers that people sign in with',
    description: 'Empty where none is configured. One that can not be reached is left out.',
    tag: 'Tokens',
    answer: json(200, 'The providers, in the order of the configuration.', offered, {
      providers: [
        {
          id: 'acme',
          name: 'Acme',
          authorization_url:
            'https://example.com/authorize?client_id=turnstone&response_type=code&scope=openid',
        },
      ],
    }),
    statuses: [],
  }),
  exchangeIdentityCode: open({
    method: 'post',
    path: '/auth/identity-code',
    summary: "Exchange an identity provider's code for a token",
    description:
      'The second half of the authorization code flow with PKCE. Roles, organization and user come from the claims, by the rules of the configuration. Failed calls are rate-limited by client address.',
    tag: 'Tokens',
    request: body(code, checkIdentityCode, {
      provider: 'acme',
      code: 'SplxlOBeZQQYbYS6WxSbIA',
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      redirect_uri: 'https://example.com/console/',
      nonce: 'n-0S6_WzA2Mj0S6_',
    }),
    answer,
    statuses: [401, 403, 409, 429, 503],
  }),
  exchangeIdentityToken: open({
    method: 'post',
    path: '/auth/identity-token',
    summary: "Exchange a program's token of its platform for a token",
    description:
      "For programs with a workload identity, such as a service account's token of Kubernetes: a JWT of a configured issuer, for the configured audience. Failed calls are rate-limited by client address.",
    tag: 'Tokens',
    request: body(assertion, checkIdentityAssertion, { token: 'eyJ…' }),
    answer,
    statuses: [401, 403, 409, 429, 503],
  }),
};
