/**
 * The tokens of this tab. They are kept in its sessionStorage, so that a reload stays signed in and closing the tab ends
 * it; the API key that they were exchanged for is kept nowhere.
 */
import type { Tokens } from './types.ts';

const NAME = 'turnstone.tokens';

export interface Session {
  tokens: Tokens | undefined;
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

let session: Session = { tokens: stored(), ended: undefined };
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
/** Keeps the tokens of an answer, and nothing else that it may hold. */
export const keepTokens = ({ access_token, refresh_token }: Tokens): void =>
  set({ tokens: { access_token, refresh_token }, ended: undefined });
export const endSession = (why?: string): void => set({ tokens: undefined, ended: why });
