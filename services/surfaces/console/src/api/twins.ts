/**
 * A duplicated tab begins with a copy of the first one's tokens. A refresh token is good once, and its second use ends the
 * session of both, so what one tab renews it hands to its twins. Nothing of it is stored: a tab's memory and its
 * sessionStorage are all.
 */
import { currentSession, renewSession } from './session.ts';
import type { Tokens } from './types.ts';

/** What is said between the tabs: which refresh token was spent, and what was got for it; or the question for that. */
type Word = { spent: string; fresh: Tokens } | { wanted: string };

/** A twin that is awake answers in a fraction of it. */
const ANSWER_MS = 150;

const channel = new BroadcastChannel('turnstone.tokens');
const waiting = new Set<() => void>();

const say = (word: Word): void => channel.postMessage(word);

channel.onmessage = ({ data }: { data: Word }) => {
  const { tokens, spent } = currentSession();
  if (!tokens) return;
  if ('wanted' in data) {
    if (spent.includes(data.wanted)) say({ spent: data.wanted, fresh: tokens });
  } else if (data.spent === tokens.refresh_token) {
    renewSession(data.spent, data.fresh);
    for (const go of waiting) go();
  }
};

/** Keeps what a refresh token was renewed to, here and in every twin. */
export const keepRenewed = ({ refresh_token }: Tokens, fresh: Tokens): void => {
  renewSession(refresh_token, fresh);
  say({ spent: refresh_token, fresh });
};

/** A twin may have renewed them while this tab slept or was closed: resolves once it has said so, or none does. */
export const askTwins = ({ refresh_token }: Tokens): Promise<void> =>
  new Promise(resolve => {
    const go = (): void => {
      clearTimeout(late);
      waiting.delete(go);
      resolve();
    };
    const late = setTimeout(go, ANSWER_MS);
    waiting.add(go);
    say({ wanted: refresh_token });
  });
