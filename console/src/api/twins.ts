/**
 * A duplicated tab starts with a copy of the first tab's tokens. A refresh token is valid once, and a second
 * use ends the session of both, so a tab that renews its tokens passes the new ones to its twins. They are
 * only in each tab's memory and sessionStorage.
 */
import { currentSession, renewSession } from './session.ts';
import type { Tokens } from './types.ts';

/** A message between tabs: a used refresh token and the tokens received for it, or a request for them. */
type Message = { spent: string; fresh: Tokens } | { wanted: string };

/** Timeout of a twin's answer; an active twin answers in a fraction of it. */
const ANSWER_MS = 150;

const channel = new BroadcastChannel('turnstone.tokens');
const waiting = new Set<() => void>();

const post = (message: Message): void => channel.postMessage(message);

channel.onmessage = ({ data }: { data: Message }) => {
  const { tokens, spent } = currentSession();
  if (!tokens) return;
  if ('wanted' in data) {
    if (spent.includes(data.wanted)) post({ spent: data.wanted, fresh: tokens });
  } else if (data.spent === tokens.refresh_token) {
    renewSession(data.spent, data.fresh);
    for (const go of waiting) go();
  }
};

/** Stores renewed tokens here and in every twin. */
export const keepRenewed = (spent: string, fresh: Tokens): void => {
  renewSession(spent, fresh);
  post({ spent, fresh });
};

/**
 * Resolves when a twin answers, which may have renewed the tokens while this tab was suspended, or after a
 * timeout.
 */
export const askTwins = (wanted: string): Promise<void> =>
  new Promise(resolve => {
    const go = (): void => {
      clearTimeout(late);
      waiting.delete(go);
      resolve();
    };
    const late = setTimeout(go, ANSWER_MS);
    waiting.add(go);
    post({ wanted });
  });
