/**
 * The tokens of this tab. They are kept in its sessionStorage, so that a reload stays signed in and closing the tab ends
 * it; the API key that they were exchanged for is kept nowhere.
 */
import type { Tokens } from './types.ts';

const NAME = 'turnstone.tokens';

export interface Session {
  tokens: Tokens | undefined;
  /** The refresh tokens that led to these, spent here or by a twin. Those of another session never are among them. */
  spent: readonly string[];
  /** Why there are none, when it wasn't the person who signed out. */
  ended: string | undefined;
}

const stored = (): Tokens | undefined => {
  try {
    const { access_token, refresh_token } = JSON.parse(sessionStorage.getItem(NAME) ?? '');
    return access_token && refresh_token ? { access_token, refresh_token } : undefined;
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
    // Where the browser keeps nothing, a reload asks to sign in again.
  }
  for (const listener of listeners) listener();
};

export const currentSession = (): Session => session;
export const onSession = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Of an answer nothing is kept but its tokens. */
const keepTokens = ({ access_token, refresh_token }: Tokens, spent: readonly string[]): void =>
  set({ tokens: { access_token, refresh_token }, spent, ended: undefined });
/** At a sign-in; `renewSession` goes on with the session that there is. */
export const beginSession = (tokens: Tokens): void => keepTokens(tokens, []);
export const renewSession = (refreshToken: string, fresh: Tokens): void =>
  keepTokens(fresh, [...session.spent, refreshToken]);
export const endSession = (why?: string): void => set({ tokens: undefined, spent: [], ended: why });
