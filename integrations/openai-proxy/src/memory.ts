import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Turnstone, TurnstoneError } from '@turnstone/client';
import { fitting } from './reply.ts';

/** Maximum characters of a question: the service's limit. */
const MOST_QUESTION = 8_192;
/** Maximum writes under way. Beyond it nothing more is remembered, so that what waits stays bounded. */
const MOST_WRITES = 1_000;
/** Maximum keys whose own user is known. */
const MOST_USERS = 1_000;

export interface MemoryOptions {
  /** The service's address. */
  turnstoneUrl: string;
  /** The key of requests that send none. Undefined: they have no memory. */
  apiKey?: string | undefined;
  /** Milliseconds that a chat waits for its recall. */
  patienceMs: number;
  /** Maximum tokens of the context, 50 to 8,000. */
  contextMaxTokens: number;
  /** Gets codes, statuses and ids of calls: never words or keys. */
  log: (event: Record<string, unknown>) => void;
}

/** A chat's memory, or the reason why it has none. */
export interface Recalled {
  /** For the response. */
  header: string;
  /** Empty: nothing to tell the model. */
  context: string;
  /** Stores what was asked and answered, in the background. Absent: nothing may be stored. */
  remember?: ((question: string, askedAt: Date, reply: string) => void) | undefined;
}

interface Named {
  user: string | undefined;
  session: string | undefined;
}

const one = (header: string | string[] | undefined): string | undefined =>
  [header].flat()[0]?.trim() || undefined;

const reasonOf = (error: unknown) => {
  if (!(error instanceof TurnstoneError)) return { code: 'internal' };
  const { code, status, requestId } = error;
  // The only signal is that of the patience.
  return { code: code === 'aborted' ? 'timeout' : code, status, request_id: requestId };
};

export const makeMemory = ({ turnstoneUrl, apiKey, patienceMs, contextMaxTokens, log }: MemoryOptions) => {
  const writing = new Set<Promise<void>>();
  /** Users by their keys' digests. */
  const users = new Map<string, string>();

  /** Returns the user whose key it is: the one of requests that name none. */
  const ownUser = async (turnstone: Turnstone, key: string, signal: AbortSignal): Promise<string> => {
    const digest = createHash('sha256').update(key).digest('base64');
    const known = users.get(digest);
    if (known !== undefined) return known;
    const { user_id } = await turnstone.me({ signal });
    if (users.size >= MOST_USERS) users.clear();
    users.set(digest, user_id);
    return user_id;
  };

  const rememberIn =
    (turnstone: Turnstone, named: Named): NonNullable<Recalled['remember']> =>
    (question, askedAt, reply) => {
      const said = [
        { role: 'user', text: fitting(question), timestamp: askedAt },
        { role: 'assistant', text: fitting(reply), timestamp: new Date() },
      ].filter(({ text }) => text.trim() !== '');
      if (said.length === 0) return;
      if (writing.size >= MOST_WRITES) return log({ msg: 'not remembered', code: 'too_many_writes' });
      const done = turnstone.remember(said, named).then(
        () => {},
        error => log({ msg: 'not remembered', ...reasonOf(error) }),
      );
      writing.add(done);
      void done.finally(() => writing.delete(done));
    };

  return {
    /** Recalls for a question. Never rejects: a chat goes on without memory. */
    recall: async (question: string | undefined, headers: IncomingHttpHeaders): Promise<Recalled> => {
      const key = one(headers['x-turnstone-key']) ?? apiKey;
      const wanted = one(headers['x-turnstone-memory']);
      if (!question || !key || wanted === 'off') return { header: 'off', context: '' };
      let remember: Recalled['remember'];
      try {
        const turnstone = new Turnstone({ baseUrl: turnstoneUrl, apiKey: key });
        const [user, session] = [one(headers['x-turnstone-user']), one(headers['x-turnstone-session'])];
        if (wanted !== 'read') remember = rememberIn(turnstone, { user, session });
        const signal = AbortSignal.timeout(patienceMs);
        // A recall without a user would be of all that the key may see.
        const owner = user ?? (await ownUser(turnstone, key, signal));
        const asked = { user: owner, includeContext: true, contextMaxTokens, includeHits: false, signal };
        const { context, confidence } = await turnstone.recall(question.slice(0, MOST_QUESTION), asked);
        const header = context ? `recalled; confidence=${confidence.toFixed(2)}` : 'empty';
        return { header, context: context ?? '', remember };
      } catch (error) {
        const reason = reasonOf(error);
        log({ msg: 'not recalled', ...reason });
        // It may be reached again by the time there is something to store.
        return { header: `unavailable; code=${reason.code}`, context: '', remember };
      }
    },
    /** Resolves when all that was said is stored, or was logged as not. */
    settled: async (): Promise<void> => {
      while (writing.size > 0) await Promise.all(writing);
    },
  };
};
