/** A person or a program as its identity provider describes it, verified. */
export interface Identity {
  /** The `id` of the provider in the configuration. */
  provider: string;
  /** All claims of the token, `sub` among them. */
  claims: Readonly<Record<string, unknown>>;
}

/** A provider as a browser needs it, to send a person there. */
export interface OfferedProvider {
  id: string;
  name: string;
  /** Where the person signs in, with the parameters that are the same for everybody. */
  authorization_url: string;
}

export interface CodeGrant {
  provider: string;
  /** As it came back to `redirectUri`. */
  code: string;
  codeVerifier: string;
  redirectUri: string;
  nonce: string;
  /** The provider's own name, where it came beside the code. */
  iss?: string | undefined;
}

/**
 * The identity providers of the configuration. Calls reject with `unauthenticated` for what a provider does
 * not vouch for, with `unavailable` when it can't be asked.
 */
export interface IdentityProviders {
  /** Those that people sign in with; one that can't be reached is left out. */
  offered(): Promise<OfferedProvider[]>;
  /** Exchanges the code that a person's browser brought for their identity. */
  ofCode(grant: CodeGrant): Promise<Identity>;
  /** Verifies a token that a program has of its platform. */
  ofToken(token: string): Promise<Identity>;
}
