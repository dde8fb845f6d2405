/** A middleware for the Vercel AI SDK that gives any model a memory. */
import type { Turnstone } from '@turnstone/client';
import type { LanguageModelMiddleware } from 'ai';

type Middleware = Required<LanguageModelMiddleware>;
type Prompt = Parameters<Middleware['transformParams']>[0]['params']['prompt'];

/** Returns the user's last question. */
const questionOf = (prompt: Prompt): string => {
  const last = prompt.findLast(({ role }) => role === 'user');
  if (last?.role !== 'user') return '';
  return last.content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n');
};

export interface MemoryOptions {
  user: string;
  session: string;
  /** Milliseconds that an answer waits for the recall. */
  patienceMs?: number;
  /** Maximum tokens of the context from earlier conversations, 50 to 8,000. */
  contextMaxTokens?: number;
  /** The platform's `waitUntil`, for functions stopped after their answer: it completes the write first. */
  waitUntil?: (writing: Promise<void>) => void;
  onError?: (error: unknown) => void;
}

/** Makes the middleware. The model answers even if the memory fails or is slow; `onError` gets the error. */
export const memory = (
  turnstone: Turnstone,
  {
    user,
    session,
    patienceMs = 2_000,
    contextMaxTokens = 800,
    waitUntil = () => {},
    onError = console.error,
  }: MemoryOptions,
): LanguageModelMiddleware => {
  const remember = (prompt: Prompt, askedAt: Date, reply: string): void => {
    // A step after a tool's result repeats the question of the first step, which is stored already.
    const question = prompt.at(-1)?.role === 'user' ? questionOf(prompt) : '';
    const said = [
      { role: 'user', text: question, timestamp: askedAt },
      { role: 'assistant', text: reply, timestamp: new Date() },
    ].filter(({ text }) => text !== '');
    if (said.length === 0) return;
    waitUntil(turnstone.remember(said, { user, session }).then(() => {}, onError));
  };

  return {
    specificationVersion: 'v4',

    transformParams: async ({ params }) => {
      const question = questionOf(params.prompt);
      if (question === '') return params;
      // The context is one text within a budget: current facts, then what was said, by whom and when.
      const recalled = await turnstone
        .recall(question, {
          user,
          includeContext: true,
          contextMaxTokens,
          includeHits: false,
          signal: AbortSignal.timeout(patienceMs),
        })
        .catch(error => void onError(error));
      const content = recalled?.context;
      if (!content) return params;
      return { ...params, prompt: [{ role: 'system', content }, ...params.prompt] };
    },

    wrapGenerate: async ({ doGenerate, params }) => {
      const askedAt = new Date();
      const result = await doGenerate();
      const reply = result.content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('');
      remember(params.prompt, askedAt, reply);
      return result;
    },

    wrapStream: async ({ doStream, params }) => {
      const askedAt = new Date();
      const { stream, ...rest } = await doStream();
      let reply = '';
      const remembered = new TransformStream({
        transform: (part, controller) => {
          if (part.type === 'text-delta') reply += part.delta;
          controller.enqueue(part);
        },
        flush: () => remember(params.prompt, askedAt, reply),
      });
      return { ...rest, stream: stream.pipeThrough(remembered) };
    },
  };
};
