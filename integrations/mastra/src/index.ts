/** A processor that gives agents of Mastra a memory. */
import type { MastraDBMessage, MessageList } from '@mastra/core/agent';
import type { ProcessInputArgs, ProcessOutputResultArgs, Processor } from '@mastra/core/processors';
import {
  MASTRA_RESOURCE_ID_KEY,
  MASTRA_THREAD_ID_KEY,
  type RequestContext,
} from '@mastra/core/request-context';
import type { Turnstone } from '@turnstone/client';

/** Maximum characters of a question and of a turn: the service's limits. */
const MOST_QUESTION = 8_192;
const MOST_TEXT = 65_536;

export interface MemoryOptions {
  /** Whose memory. Default: the run's resource; a run without a user is refused. */
  user?: string;
  /** The conversation. Default: the run's thread, else the key's own. */
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

export type MemoryProcessor = Processor<'turnstone-memory'> &
  Required<Pick<Processor, 'processInput' | 'processOutputResult'>>;

/** Returns the words of a message, without what tools were asked and answered. */
const wordsOf = ({ content }: MastraDBMessage): string =>
  content.parts
    .flatMap(part => (part.type === 'text' ? [part.text] : []))
    .join('\n')
    .trim();

/** Makes the processor. The agent answers even if the memory fails or is slow; `onError` gets the error. */
export const memory = (
  turnstone: Turnstone,
  {
    patienceMs = 2_000,
    contextMaxTokens = 800,
    waitUntil = () => {},
    onError = console.error,
    ...own
  }: MemoryOptions = {},
): MemoryProcessor => {
  const scopeOf = (
    list: MessageList,
    context?: RequestContext,
  ): { user: string; session: string | undefined } => {
    // The run's own, never a message's: messages may be as a request sent them.
    const run = list.serialize().memoryInfo;
    // A server's middleware comes before what a request asks for, as in Mastra itself.
    const user = own.user ?? context?.get(MASTRA_RESOURCE_ID_KEY) ?? run?.resourceId;
    if (!user) throw new Error('Whose memory? Pass user, or memory.resource in the run.');
    const session = own.session ?? context?.get(MASTRA_THREAD_ID_KEY) ?? run?.threadId;
    return { user: String(user), session: session ? String(session) : undefined };
  };

  const recall = async (question: string, user: string): Promise<string> => {
    if (question === '') return '';
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

  return {
    id: 'turnstone-memory',

    processInput: async ({ messages, messageList, systemMessages, requestContext }: ProcessInputArgs) => {
      const { user } = scopeOf(messageList, requestContext);
      const question = messages.findLast(({ role }) => role === 'user');
      const context = await recall(question ? wordsOf(question) : '', user);
      if (context === '') return messageList;
      // Behind the agent's own instructions, so that their beginning stays in caches.
      return { messages, systemMessages: [...systemMessages, { role: 'system', content: context }] };
    },

    processOutputResult: ({ messageList, result, requestContext }: ProcessOutputResultArgs) => {
      const question = messageList.get.input.db().findLast(({ role }) => role === 'user');
      const asked = question ? wordsOf(question) : '';
      const answeredAt = Date.now();
      const askedAt = Math.min(question?.createdAt.getTime() ?? answeredAt, answeredAt);
      const said = [
        { role: 'user', text: asked, timestamp: askedAt },
        // After the question, also in the same millisecond.
        { role: 'assistant', text: result.text, timestamp: Math.max(answeredAt, askedAt + 1) },
      ]
        .filter(({ text }) => text.trim() !== '')
        .map(({ role, text, timestamp }) => ({
          role,
          text: text.slice(0, MOST_TEXT).toWellFormed(),
          timestamp: new Date(timestamp),
        }));
      if (said.length > 0)
        waitUntil(turnstone.remember(said, scopeOf(messageList, requestContext)).then(() => {}, onError));
      return messageList;
    },
  };
};
