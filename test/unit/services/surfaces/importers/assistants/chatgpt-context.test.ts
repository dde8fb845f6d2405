import { describe, expect, it } from 'vitest';
import { readExport, textFile } from '../../../../../support/files/exports.ts';

interface Message {
  role?: string;
  at?: number | null;
  recipient?: string;
  content: object;
  metadata?: object;
}

/** A conversation of these messages, one below the other. */
const conversation = (id: string, create_time: number, messages: Message[]) => ({
  id,
  title: `Title ${id}`,
  create_time,
  current_node: `${messages.length - 1}`,
  mapping: Object.fromEntries(
    messages.map(({ role = 'user', at = null, recipient = 'all', content, metadata = {} }, index) => [
      `${index}`,
      {
        id: `${index}`,
        parent: index === 0 ? null : `${index - 1}`,
        children: [`${index + 1}`],
        message: { author: { role }, create_time: at, recipient, content, metadata },
      },
    ]),
  ),
});

const said = (text: string, at: number): Message => ({
  at,
  content: { content_type: 'text', parts: [text] },
});
const instructions = (content: object, data?: object): Message => ({
  content: { content_type: 'user_editable_context', ...content },
  metadata: {
    is_user_system_message: true,
    is_visually_hidden_from_conversation: true,
    ...(data && { user_context_message_data: data }),
  },
});
const memories = (model_set_context: string): Message => ({
  role: 'assistant',
  content: { content_type: 'model_editable_context', model_set_context },
});

const reading = async (...conversations: object[]) => {
  const { turns, ...rest } = await readExport(
    textFile('conversations.json', JSON.stringify(conversations)),
    'chatgpt',
  );
  return {
    ...rest,
    turns: turns.map(({ session, title, turn }) => [session, title, turn.role, turn.timestamp, turn.text]),
  };
};

const JANUARY = 1_767_225_600; // 2026-01-01
const DAY = 86_400;
const INSTRUCTIONS = ['chatgpt-custom-instructions', 'Custom instructions', 'user'];
const MEMORIES = ['chatgpt-memories', 'Saved memories', 'memory'];

describe('custom instructions', () => {
  it('are stored once, at the first conversation that has them, in any order of the file', async () => {
    const copy = instructions(
      { text: '' },
      { about_user_message: 'I keep bees.', about_model_message: 'Be brief.' },
    );
    const { turns, leftOut } = await reading(
      conversation('b', JANUARY + DAY, [copy, said('later', JANUARY + DAY)]),
      conversation('a', JANUARY, [copy, said('first', JANUARY)]),
      conversation('c', JANUARY + 2 * DAY, [copy, said('last', JANUARY + 2 * DAY)]),
    );
    expect(turns.slice(3)).toEqual([
      [...INSTRUCTIONS, '2026-01-01T00:00:00.000Z', 'I keep bees.'],
      [...INSTRUCTIONS, '2026-01-01T00:00:00.000Z', 'Be brief.'],
    ]);
    expect(leftOut).toEqual({});
  });

  it.each([
    [
      {
        user_profile: 'User profile:\n```Preferred name: Ada```',
        user_instructions: 'The user provided …\n```Be brief.\n```',
      },
    ],
    [
      {
        text: 'The user provided the following information about themselves: Preferred name: Ada\nThe user provided the additional info about how they would like you to respond: Be brief.',
      },
    ],
  ])('are read in each of their forms: %j', async content => {
    const { turns } = await reading(conversation('a', JANUARY, [instructions(content), said('x', JANUARY)]));
    expect(turns.slice(1).map(turn => turn[4])).toEqual(['Preferred name: Ada', 'Be brief.']);
  });

  it('that are empty are none', async () => {
    const { turns, leftOut } = await reading(
      conversation('a', JANUARY, [instructions({ text: 'None' }), instructions({}), said('x', JANUARY)]),
    );
    expect([turns.length, leftOut]).toEqual([1, {}]);
  });
});

describe('memories', () => {
  it('are a turn each, at their day, or when the assistant noted them', async () => {
    const list = '1. [2025-11-02]. Lives in Sintra.\n2. [2025-12-24]. Has two hives:\none is empty.\n';
    const { turns, leftOut } = await reading(
      conversation('a', JANUARY, [
        memories(list),
        memories(''),
        said('I sold a hive.', JANUARY),
        {
          role: 'assistant',
          recipient: 'bio',
          at: JANUARY + 2,
          content: { content_type: 'text', parts: ['User sold a hive.'] },
        },
        {
          role: 'tool',
          at: JANUARY + 3,
          content: { content_type: 'text', parts: ['Model set context updated.'] },
        },
        {
          role: 'assistant',
          recipient: 'bio',
          at: JANUARY + 4,
          content: { content_type: 'text', parts: ['{"command":"forget"}'] },
        },
      ]),
    );
    expect(turns.slice(1)).toEqual([
      [...MEMORIES, '2025-11-02T00:00:00.000Z', 'Lives in Sintra.'],
      [...MEMORIES, '2025-12-24T00:00:00.000Z', 'Has two hives:\none is empty.'],
      [...MEMORIES, '2026-01-01T00:00:02.000Z', 'User sold a hive.'],
    ]);
    expect(leftOut).toEqual({ 'calls of tools and their results': 2 });
  });

  it('that are no list are one text, at the conversation', async () => {
    const { turns } = await reading(conversation('a', JANUARY, [memories('Likes tea.'), said('x', JANUARY)]));
    expect(turns[1]).toEqual([...MEMORIES, '2026-01-01T00:00:00.000Z', 'Likes tea.']);
  });
});
