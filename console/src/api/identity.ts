/** Signing in by an identity provider: the authorization code flow with PKCE, RFC 7636. */
import { ApiError } from './error.ts';
import { requestOpen } from './request.ts';
import { beginSession } from './session.ts';
import type { IdentityProvider, Tokens } from './types.ts';

/** A sign-in under way, kept in this tab while the person is at the provider. */
interface Pending {
  provider: string;
  state: string;
  nonce: string;
  code_verifier: string;
  /** Where the person was. */
  path: string;
}

const NAME = 'turnstone.sign-in';
const REDIRECT = `${location.origin}/console/`;

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const randomText = (): string => base64Url(crypto.getRandomValues(new Uint8Array(32)));

export const identityProviders = async (signal?: AbortSignal): Promise<IdentityProvider[]> =>
  (await requestOpen<{ providers: IdentityProvider[] }>('/auth/identity-providers', { signal })).providers;

/** Sends the person to the provider; comes back to the console's first page. */
export const goToProvider = async ({ id, authorization_url }: IdentityProvider): Promise<void> => {
  const pending: Pending = {
    provider: id,
    state: randomText(),
    nonce: randomText(),
    code_verifier: randomText(),
    path: location.pathname + location.search,
  };
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(pending.code_verifier));
  sessionStorage.setItem(NAME, JSON.stringify(pending));
  const url = new URL(authorization_url);
  const parameters = {
    redirect_uri: REDIRECT,
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: base64Url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  location.assign(url);
};

const takePending = (): Pending | undefined => {
  const text = sessionStorage.getItem(NAME);
  sessionStorage.removeItem(NAME);
  return text === null ? undefined : (JSON.parse(text) as Pending);
};

/** Whether the address is that of somebody who comes back from a provider. */
export const comesFromProvider = (): boolean => {
  const back = new URLSearchParams(location.search);
  return back.has('state') && (back.has('code') || back.has('error'));
};

/** Ends a sign-in that the address brings back, and clears the address; throws why it failed. */
export const finishSignIn = async (): Promise<void> => {
  const back = new URLSearchParams(location.search);
  const pending = takePending();
  history.replaceState(null, '', pending?.path ?? '/console');
  // It began in another tab, or somebody else made it: its code is not used.
  if (!pending || back.get('state') !== pending.state)
    throw new ApiError(0, 'This sign-in did not begin in this tab. Begin again.');
  const refused = back.get('error');
  if (refused !== null)
    throw new ApiError(0, `The identity provider refused: ${back.get('error_description') ?? refused}.`);
  const { provider, code_verifier, nonce } = pending;
  const iss = back.get('iss');
  const tokens = await requestOpen<Tokens>('/auth/identity-code', {
    method: 'POST',
    body: {
      provider,
      code: back.get('code'),
      code_verifier,
      redirect_uri: REDIRECT,
      nonce,
      ...(iss !== null && { iss }),
    },
  });
  beginSession(tokens);
};
