/** A middleware of the Vercel AI SDK that gives any model a memory. */
import type { Turnstone } from '@turnstone/client';
import type { LanguageModelMiddleware } from 'ai';

type Middleware = Required<LanguageModelMiddleware>;
type Prompt = Parameters<Middleware['transformParams']>[0]['params']['prompt'];

/** What the user asked last. */
const questionOf = (prompt: Prompt): string => {
  const last = prompt.findLast(({ role }) => role === 'user');
  if (last?.role !== 'user') return '';
  return last.content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n');
};

/** Memory that fails costs nobody an answer; `onError` hears of it. */
export const memory = (
  turnstone: Turnstone,
  {
    user,
    session,
    onError = console.error,
  }: { user: string; session: string; onError?: (error: unknown) => void },
): LanguageModelMiddleware => {
  const remember = async (prompt: Prompt, reply: string): Promise<void> => {
    // A step that follows a tool's result has the question of the first one, which is remembered.
    const question = prompt.at(-1)?.role === 'user' ? questionOf(prompt) : '';
    const said = [
      { role: 'user', text: question },
      { role: 'assistant', text: reply },
    ].filter(({ text }) => text !== '');
    if (said.length > 0)
      await turnstone.remember(said, { user, session }).catch(error => void onError(error));
  };

  return {
    specificationVersion: 'v4',

    transformParams: async ({ params }) => {
      const question = questionOf(params.prompt);
      if (question === '') return params;
      const recalled = await turnstone
        .recall(question, { user, topK: 10 })
        .catch(error => void onError(error));
      if (!recalled) return params;
      const { hits } = recalled;
      const memories = [...hits.observations, ...hits.turns].map(({ text }) => `- ${text}`);
      if (memories.length === 0) return params;
      const content = ['What this user said before, best match first:', ...memories].join('\n');
      return { ...params, prompt: [{ role: 'system', content }, ...params.prompt] };
    },

    wrapGenerate: async ({ doGenerate, params }) => {
      const result = await doGenerate();
      const reply = result.content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('');
      await remember(params.prompt, reply);
      return result;
    },

    wrapStream: async ({ doStream, params }) => {
      const { stream, ...rest } = await doStream();
      let reply = '';
      const remembered = new TransformStream({
        transform: (part, controller) => {
          if (part.type === 'text-delta') reply += part.delta;
          controller.enqueue(part);
        },
        flush: () => remember(params.prompt, reply),
      });
      return { ...rest, stream: stream.pipeThrough(remembered) };
    },
  };
};
