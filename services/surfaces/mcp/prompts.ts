import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { GetPromptResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

const asked = (text: string): GetPromptResult => ({
  messages: [{ role: 'user', content: { type: 'text', text } }],
});

const given = (text: string | undefined): string => text?.trim() ?? '';

/** Adds what a person can choose in a client's menu, often as a command that begins with a slash. */
export const addPrompts = (server: McpServer): void => {
  server.registerPrompt(
    'what-do-you-know-of-me',
    {
      title: 'What do you know of me?',
      description: 'What memory holds of you, since when, and what is in doubt.',
      argsSchema: { about: z.string().optional().describe('Only this: a person, a thing or a topic.') },
    },
    ({ about }) => {
      const topic = given(about);
      const what = topic === '' ? 'of me' : `of me about this: ${topic}`;
      return asked(
        [
          `What do you know ${what}? Call profile${topic === '' ? '' : ', and recall with a question about it'}.`,
          'Tell me in a few sentences what holds, with its day where there is one, and what you are not sure of. Add nothing that memory does not contain; if it has nothing, say so.',
          'Then ask me whether it is right. What I say was always wrong, correct; what I say has changed, remember.',
        ].join('\n'),
      );
    },
  );
  server.registerPrompt(
    'remember-this',
    {
      title: 'Remember this',
      description: 'Stores what you give it, or what matters of this conversation.',
      argsSchema: {
        text: z.string().optional().describe('What to remember. Default: what matters of this conversation.'),
      },
    },
    ({ text }) => {
      const words = given(text);
      return asked(
        words === ''
          ? 'Remember what matters for later in this conversation: call remember with what I said, word for word, a turn per statement. Leave out secrets and small talk. Then tell me in a line what you stored.'
          : `Remember this: call remember with it, word for word, as said by me just now.\n\n${words}`,
      );
    },
  );
};
