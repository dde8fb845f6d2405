/** Undefined: the service's default for the key. */
export interface Named {
  user?: string | undefined;
  session?: string | undefined;
}

/** The contract requires an organization, but the key decides which one. */
export const scopeOf = ({ user, session }: Named) => ({ org_id: 'any', user_id: user, session_id: session });
