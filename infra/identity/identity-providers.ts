/** Identity providers over their HTTP endpoints: discovery, codes and keys, by OpenID Connect. */
import { readFileSync } from 'node:fs';
import {
  createRemoteJWKSet,
  decodeJwt,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import * as oidc from 'openid-client';
import { ServiceError, unavailable } from '../../core/errors.ts';
import type {
  CodeGrant,
  Identity,
  IdentityProviders,
  OfferedProvider,
} from '../../core/ports/accounts/identity-providers.ts';
import type { Log } from '../../core/watch/logger.ts';
import type { IdentityProvider } from '../../schemas/identity-providers.ts';

/** Seconds that an answer may take: a person waits for it. */
const WITHIN_SECONDS = 5;
/** For this long the endpoints of a provider are taken to be the same; its keys are looked up when needed. */
const FRESH_MS = 3_600_000;
/** Signatures by a public key alone: with a shared secret, whoever verifies could sign. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const CLOCK_SECONDS = 30;
const DEFAULT_SCOPE = 'openid email profile';

interface Options {
  rules: readonly IdentityProvider[];
  /** Unix milliseconds. */
  clock: () => number;
  log: Log;
}

/** A provider's endpoints, and the keys that verify its tokens. */
interface Discovered {
  config: oidc.Configuration;
  keys: JWTVerifyGetKey | undefined;
}

const refused = (cause?: unknown): ServiceError =>
  new ServiceError('unauthenticated', 'The identity provider does not vouch for this.', { cause });

/** Whether the provider gave no answer, instead of one that refuses. */
const isAway = (error: unknown): boolean => {
  const { name, code } = error as { name?: string; code?: string };
  return (
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid ||
    (error instanceof TypeError && code === undefined) ||
    name === 'TimeoutError' ||
    code === 'OAUTH_TIMEOUT' ||
    code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' ||
    code === 'OAUTH_RESPONSE_IS_NOT_JSON'
  );
};

const secretOf = ({ client_secret_file: file }: IdentityProvider): string | undefined =>
  file === undefined ? undefined : readFileSync(file, 'utf8').trim();

const discover = async (provider: IdentityProvider): Promise<Discovered> => {
  const isPlain = provider.issuer.startsWith('http:');
  const config = await oidc.discovery(
    new URL(provider.issuer),
    provider.client_id ?? provider.audience!,
    secretOf(provider),
    undefined,
    {
      timeout: WITHIN_SECONDS,
      // The signature too, although the token comes over a connection that is encrypted.
      execute: [oidc.enableNonRepudiationChecks, ...(isPlain ? [oidc.allowInsecureRequests] : [])],
    },
  );
  const { jwks_uri: keys } = config.serverMetadata();
  return {
    config,
    keys:
      keys === undefined
        ? undefined
        : createRemoteJWKSet(new URL(keys), { timeoutDuration: 1_000 * WITHIN_SECONDS }),
  };
};

export const openIdentityProviders = ({ rules, clock, log }: Options): IdentityProviders => {
  const found = new Map<string, { at: number; discovered: Promise<Discovered> }>();

  /** Those who ask at once share one discovery; a failed one is tried again by the next. */
  const discoveredOf = async (provider: IdentityProvider): Promise<Discovered> => {
    const known = found.get(provider.id);
    if (known && clock() - known.at < FRESH_MS && clock() >= known.at) return known.discovered;
    const discovered = discover(provider).catch((error: Error) => {
      found.delete(provider.id);
      log.warn({ provider: provider.id, reason: error.message }, 'an identity provider can not be asked');
      throw unavailable(`The identity provider ${provider.id} can not be reached.`, error);
    });
    found.set(provider.id, { at: clock(), discovered });
    return discovered;
  };

  const offer = async (provider: IdentityProvider): Promise<OfferedProvider[]> => {
    try {
      const { config } = await discoveredOf(provider);
      const url = oidc.buildAuthorizationUrl(config, { scope: provider.scope ?? DEFAULT_SCOPE });
      return [{ id: provider.id, name: provider.name ?? provider.id, authorization_url: url.href }];
    } catch {
      return [];
    }
  };

  /** Runs a call to the provider; what it doesn't vouch for is refused, and its silence is no refusal. */
  const asked = async <T>({ id }: IdentityProvider, call: () => Promise<T>): Promise<T> => {
    try {
      return await call();
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      if (isAway(error)) throw unavailable(`The identity provider ${id} can not be reached.`, error as Error);
      throw refused(error);
    }
  };

  const ofCode = async ({ provider: id, ...grant }: CodeGrant): Promise<Identity> => {
    const provider = rules.find(each => each.id === id && each.client_id !== undefined);
    if (!provider) throw refused();
    const { config } = await discoveredOf(provider);
    const back = new URL(grant.redirectUri);
    back.search = new URLSearchParams({ code: grant.code, ...(grant.iss && { iss: grant.iss }) }).toString();
    return asked(provider, async () => {
      const tokens = await oidc.authorizationCodeGrant(config, back, {
        pkceCodeVerifier: grant.codeVerifier,
        expectedNonce: grant.nonce,
        idTokenExpected: true,
      });
      return { provider: id, claims: { ...tokens.claims() } };
    });
  };

  /** The provider that a token claims to be of, if it is for us. */
  const claimedProvider = (token: string): IdentityProvider => {
    let claims: JWTPayload;
    try {
      claims = decodeJwt(token);
    } catch (error) {
      throw refused(error);
    }
    const audiences = [claims.aud].flat();
    const provider = rules.find(
      ({ issuer, audience }) => issuer === claims.iss && audience && audiences.includes(audience),
    );
    if (!provider) throw refused();
    return provider;
  };

  const ofToken = async (token: string): Promise<Identity> => {
    const provider = claimedProvider(token);
    const { keys } = await discoveredOf(provider);
    if (!keys) throw refused();
    return asked(provider, async () => {
      const { payload } = await jwtVerify(token, keys, {
        issuer: provider.issuer,
        audience: provider.audience!,
        algorithms: ALGORITHMS,
        requiredClaims: ['exp', 'sub'],
        currentDate: new Date(clock()),
        clockTolerance: CLOCK_SECONDS,
      });
      return { provider: provider.id, claims: payload };
    });
  };

  return {
    offered: async () =>
      (await Promise.all(rules.filter(({ client_id: client }) => client !== undefined).map(offer))).flat(),
    ofCode,
    ofToken,
  };
};
