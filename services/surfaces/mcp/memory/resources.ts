import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CompleteRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { oneLine } from '../../../../domain/context/quote.ts';
import type { SessionItem } from '../../../../schemas/http/items.ts';
import { answerOf } from '../../client/client.ts';
import { wordsFor } from '../faults.ts';
import type { Surroundings } from '../tools/tool.ts';
import {
  addressOf,
  conversationMarkdown,
  PAGE_TEMPLATE,
  readPage,
  SESSION_TEMPLATE,
  uriOf,
} from './conversation.ts';
import type { Memory } from './memory.ts';
import { counted, periodOf } from './quoted.ts';

const MARKDOWN = 'text/markdown';
const LISTED = 100;
/** The protocol's maximum for a completion. */
const COMPLETED = 100;
/** Maximum pages that are searched, because a person is typing; if there are more, `hasMore` is set. */
const MOST_PAGES = 5;
const PAGE = 200;
/** The protocol's code, for which the SDK has no constant. */
const RESOURCE_NOT_FOUND = -32_002;

/**
 * Makes a protocol error, the only way in which resources can report failures. The SDK's own class would
 * repeat the code in the message.
 */
const protocolError = (code: number, message: string, data?: object): Error =>
  Object.assign(new Error(message), { code, data });

/** Converts a failure of the service into a protocol error. */
const answering = async <T>(
  { log }: Pick<Surroundings, 'log'>,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (err) {
    const words = wordsFor(err, log, signal, { tool: 'resources' });
    const status = answerOf(err)?.status ?? 500;
    throw protocolError(status < 500 ? ErrorCode.InvalidParams : ErrorCode.InternalError, words);
  }
};

const described = (session: SessionItem): string =>
  [counted(session.turns, 'turn'), periodOf([session])].filter(Boolean).join(', ');

const resourceOf = (session: SessionItem) => ({
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
      'A conversation in chronological order, from its beginning. A long one comes in pages, each of which names the next.',
    mimeType: MARKDOWN,
  },
  {
    name: 'session-page',
    title: 'A later page of a session',
    uriTemplate: PAGE_TEMPLATE,
    description: 'The continuation of a session; the previous page has its address.',
    mimeType: MARKDOWN,
  },
];

/** Lists the values of a template variable by page; undefined if there is nothing to list. */
const listOf = (memory: Memory, name: string, user: string | undefined, signal: AbortSignal) => {
  if (name === 'user')
    return async (cursor?: string) => {
      const { users, next_cursor } = await memory.users({ cursor, limit: PAGE }, signal);
      return { ids: users.map(({ user_id }) => user_id), next_cursor };
    };
  if (name === 'session')
    return async (cursor?: string) => {
      const { sessions, next_cursor } = await memory.sessions({ user, cursor, limit: PAGE }, signal);
      return { ids: sessions.map(({ session_id }) => session_id), next_cursor };
    };
  return undefined;
};

const completions = async (
  memory: Memory,
  { name, value }: { name: string; value: string },
  user: string | undefined,
  signal: AbortSignal,
): Promise<{ values: string[]; hasMore: boolean }> => {
  const found = new Set<string>();
  const list = listOf(memory, name, user, signal);
  let cursor: string | null | undefined;
  for (let page = 0; list && page < MOST_PAGES && cursor !== null && found.size <= COMPLETED; page++) {
    const listed = await list(cursor);
    for (const id of listed.ids) if (id.startsWith(value)) found.add(id);
    cursor = listed.next_cursor;
  }
  return {
    values: [...found].slice(0, COMPLETED),
    hasMore: found.size > COMPLETED || typeof cursor === 'string',
  };
};

/**
 * Serves sessions as resources. Uses the protocol's handlers instead of the SDK's shorthand, which lists
 * everything at once: a key may read very many sessions.
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
      throw protocolError(ErrorCode.InvalidParams, 'There is nothing to complete for this reference.');
    const completion = await answering(surroundings, signal, () =>
      completions(memory, argument, context?.arguments?.user, signal),
    );
    return { completion };
  });
};
