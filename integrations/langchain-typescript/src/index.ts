/** A middleware that gives agents of LangChain and LangGraph a memory. */
import type { Turnstone } from '@turnstone/client';
import { type AgentMiddleware, type BaseMessage, createMiddleware } from 'langchain';

/** Maximum characters of a question and of a turn: the service's limits. */
const MOST_QUESTION = 8_192;
const MOST_TEXT = 65_536;
/** Maximum runs that are kept in mind: one that failed doesn't say so. */
const MOST_RUNS = 10_000;

export interface MemoryOptions {
  /** Whose memory. Default: `user_id` of the run's `configurable`; a run without a user is refused. */
  user?: string;
  /** The conversation. Default: `thread_id` of the run's `configurable`, else the key's own. */
  session?: string;
  /** Milliseconds that a run waits for the recall. Default: 2,000. */
  patienceMs?: number;
  /** Maximum tokens of the context from earlier conversations, 50 to 8,000. Default: 800. */
  contextMaxTokens?: number;
  /** The platform's `waitUntil`, for functions stopped after their answer: it completes the write first. */
  waitUntil?: (writing: Promise<void>) => void;
  /** Gets the reason where the memory failed or was slow. Default: `console.error`. */
  onError?: (error: unknown) => void;
}

interface Run {
  askedAt: Date;
  context: Promise<string>;
  /** The id of the newest message when it began: what comes after it was said in this run. */
  last: string | undefined;
}

interface Runtime {
  configurable?: Record<string, unknown>;
}

const lastQuestion = (messages: readonly BaseMessage[]): number =>
  messages.findLastIndex(message => message.type === 'human');

/** Makes the middleware. The agent answers even if the memory fails or is slow; `onError` gets the error. */
export const memory = (
  turnstone: Turnstone,
  {
    patienceMs = 2_000,
    contextMaxTokens = 800,
    waitUntil = () => {},
    onError = console.error,
    ...own
  }: MemoryOptions = {},
): AgentMiddleware => {
  const scopeOf = ({ configurable = {} }: Runtime): { user: string; session: string | undefined } => {
    const user = own.user ?? configurable.user_id;
    if (!user) throw new Error("Whose memory? Pass user, or user_id in the run's configurable.");
    const session = own.session ?? configurable.thread_id;
    return { user: String(user), session: session ? String(session) : undefined };
  };

  const recall = async (question: string, user: string): Promise<string> => {
    if (question.trim() === '') return '';
    try {
      return await turnstone.context(question.slice(0, MOST_QUESTION).toWellFormed(), {
        user,
        tokens: contextMaxTokens,
        signal: AbortSignal.timeout(patienceMs),
      });
    } catch (error) {
      onError(error);
      return '';
    }
  };

  // By the question's id, and not in the state: what is there stays in checkpoints.
  const runs = new Map<string, Run>();
  const begin = (messages: readonly BaseMessage[], runtime: Runtime): Run => {
    const question = messages[lastQuestion(messages)];
    const { user } = scopeOf(runtime);
    const context = recall(question?.text ?? '', user);
    const run = { askedAt: new Date(), context, last: messages.at(-1)?.id };
    if (runs.size >= MOST_RUNS) runs.delete(runs.keys().next().value!);
    if (question?.id !== undefined) runs.set(question.id, run);
    return run;
  };
  const runOf = (messages: readonly BaseMessage[]): Run | undefined =>
    runs.get(messages[lastQuestion(messages)]?.id ?? '');

  /** Returns the question, unless an earlier run had it, and the words of the answer. */
  const saidIn = (messages: readonly BaseMessage[], run: Run | undefined) => {
    const question = lastQuestion(messages);
    const last = run ? messages.findIndex(({ id }) => id === run.last) : -1;
    // A summary may have replaced the messages that the run began with.
    const from = last < 0 || last === question ? question : last + 1;
    const answeredAt = Date.now();
    return messages
      .slice(Math.max(0, from))
      .filter(({ type, text }) => (type === 'human' || type === 'ai') && text.trim() !== '')
      .map(({ type, text }, i) => ({
        role: type === 'human' ? 'user' : 'assistant',
        text: text.slice(0, MOST_TEXT).toWellFormed(),
        // A millisecond apart, in the order in which they were said.
        timestamp: type === 'human' && run ? run.askedAt : new Date(answeredAt + i),
      }));
  };

  return createMiddleware({
    name: 'TurnstoneMemory',

    beforeAgent: async ({ messages }, runtime) => {
      await begin(messages, runtime).context;
    },

    wrapModelCall: async (request, handler) => {
      // A run that was interrupted may be resumed by another process.
      const run = runOf(request.messages) ?? begin(request.messages, request.runtime);
      const context = await run.context;
      if (context === '') return handler(request);
      const own = request.systemMessage;
      const added = own.text === '' ? context : `\n\n${context}`;
      return handler({ ...request, systemMessage: own.concat(added) });
    },

    afterAgent: ({ messages }, runtime) => {
      const run = runOf(messages);
      const said = saidIn(messages, run);
      const id = messages[lastQuestion(messages)]?.id;
      if (id !== undefined) runs.delete(id);
      if (said.length > 0) waitUntil(turnstone.remember(said, scopeOf(runtime)).then(() => {}, onError));
    },
  });
};
