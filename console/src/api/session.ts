/**
 * The tokens of this tab, in its sessionStorage: after a reload the person is still signed in; closing the
 * tab signs out. The API key that was exchanged for them is never stored.
 */
import type { Tokens } from './types.ts';

const NAME = 'turnstone.tokens';

export interface Session {
  tokens: Tokens | undefined;
  /** Earlier refresh tokens of this session, used here or by a twin. Never those of another session. */
  spent: readonly string[];
  /** The reason why there are no tokens, unless the person signed out. */
  ended: string | undefined;
}

const tokensOf = ({ access_token, refresh_token }: Tokens): Tokens => ({
  access_token,
  ...(refresh_token && { refresh_token }),
});

const stored = (): Tokens | undefined => {
  try {
    const { access_token, refresh_token } = JSON.parse(sessionStorage.getItem(NAME) ?? '');
    return access_token ? tokensOf({ access_token, refresh_token }) : undefined;
  } catch {
    return undefined;
  }
};

let session: Session = { tokens: stored(), spent: [], ended: undefined };
const listeners = new Set<() => void>();

const set = (next: Session): void => {
  session = next;
  try {
    if (next.tokens) sessionStorage.setItem(NAME, JSON.stringify(next.tokens));
    else sessionStorage.removeItem(NAME);
  } catch {
    // If the browser stores nothing, a reload requires signing in again.
  }
  for (const listener of listeners) listener();
};

export const currentSession = (): Session => session;
export const onSession = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Stores only the tokens of an answer. */
const keepTokens = (tokens: Tokens, spent: readonly string[]): void =>
  set({ tokens: tokensOf(tokens), spent, ended: undefined });
/** Called at sign-in; `renewSession` continues the existing session. */
export const beginSession = (tokens: Tokens): void => keepTokens(tokens, []);
export const renewSession = (refreshToken: string, fresh: Tokens): void =>
  keepTokens(fresh, [...session.spent, refreshToken]);
export const endSession = (why?: string): void => set({ tokens: undefined, spent: [], ended: why });
