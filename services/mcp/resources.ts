import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CompleteRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import {
  addressOf,
  conversationMarkdown,
  PAGE_TEMPLATE,
  readPage,
  SESSION_TEMPLATE,
  uriOf,
} from './conversation.ts';
import { wordsFor } from './faults.ts';
import type { Memory, StoredSession } from './memory.ts';
import { counted, oneLine, periodOf } from './quoted.ts';
import type { Surroundings } from './tools/tool.ts';

const MARKDOWN = 'text/markdown';
const LISTED = 100;
/** As many as a completion may have; of a list that is longer, what a first page holds. */
const COMPLETED = 100;
const LOOKED_THROUGH = 200;
/** The protocol's own code, which the SDK has no name for. */
const RESOURCE_NOT_FOUND = -32_002;

/** Resources have no other way to tell of a failure. The SDK's own class writes its code into the message as well. */
const protocolError = (code: number, message: string, data?: object): Error =>
  Object.assign(new Error(message), { code, data });

/** A failure of the service in words, as an error of the protocol. */
const answering = async <T>(
  { log }: Pick<Surroundings, 'log'>,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (err) {
    throw protocolError(ErrorCode.InternalError, wordsFor(err, log, signal, { tool: 'resources' }));
  }
};

const described = (session: StoredSession): string =>
  [counted(session.turns, 'turn'), periodOf([session])].filter(Boolean).join(', ');

const resourceOf = (session: StoredSession) => ({
  uri: uriOf({ user: session.user_id, session: session.session_id }),
  name: `${oneLine(session.user_id)} / ${oneLine(session.session_id)}`,
  description: described(session),
  mimeType: MARKDOWN,
});

const TEMPLATES = [
  {
    name: 'session',
    title: 'A session as it was spoken',
    uriTemplate: SESSION_TEMPLATE,
    description:
      'A conversation in the order in which it was spoken, from its beginning. A long one comes in pages, each of which names the next.',
    mimeType: MARKDOWN,
  },
  {
    name: 'session-page',
    title: 'A later page of a session',
    uriTemplate: PAGE_TEMPLATE,
    description: 'What comes behind a page of a session; the page before has its address.',
    mimeType: MARKDOWN,
  },
];

const completions = async (
  memory: Memory,
  { name, value }: { name: string; value: string },
  named: Record<string, string>,
  signal: AbortSignal,
): Promise<string[]> => {
  const page = { limit: LOOKED_THROUGH };
  const all =
    name === 'user'
      ? (await memory.users(page, signal)).users.map(({ user_id }) => user_id)
      : name === 'session'
        ? (await memory.sessions({ user: named.user, ...page }, signal)).sessions.map(
            ({ session_id }) => session_id,
          )
        : [];
  return [...new Set(all)].filter(one => one.startsWith(value)).slice(0, COMPLETED);
};

/**
 * Sessions as resources. The handlers are the protocol's own, not the SDK's shorthand for them, which lists everything
 * at once: a key may see very many sessions.
 */
export const addResources = ({ server }: McpServer, surroundings: Surroundings): void => {
  const { memory, defaults } = surroundings;
  server.registerCapabilities({ resources: {}, completions: {} });

  server.setRequestHandler(ListResourcesRequestSchema, ({ params }, { signal }) =>
    answering(surroundings, signal, async () => {
      const query = { user: defaults.user, cursor: params?.cursor, limit: LISTED };
      const { sessions, next_cursor } = await memory.sessions(query, signal);
      return { resources: sessions.map(resourceOf), nextCursor: next_cursor ?? undefined };
    }),
  );

  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: TEMPLATES }));

  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }, { signal }) => {
    const address = addressOf(uri);
    const page = address && (await answering(surroundings, signal, () => readPage(memory, address, signal)));
    if (!page || page.turns.length === 0)
      throw protocolError(RESOURCE_NOT_FOUND, 'Memory has no such session.', { uri });
    return { contents: [{ uri, mimeType: MARKDOWN, text: conversationMarkdown(address, page) }] };
  });

  server.setRequestHandler(CompleteRequestSchema, async ({ params }, { signal }) => {
    const { ref, argument, context } = params;
    if (ref.type !== 'ref/resource' || TEMPLATES.every(({ uriTemplate }) => uriTemplate !== ref.uri))
      throw protocolError(ErrorCode.InvalidParams, 'There is nothing of that name to complete.');
    const values = await answering(surroundings, signal, () =>
      completions(memory, argument, context?.arguments ?? {}, signal),
    );
    return { completion: { values } };
  });
};
