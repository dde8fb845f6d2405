import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonValues } from '../../../../../services/surfaces/importers/files/json-values.ts';
import { EXPORTS, readExport, shown, textFile, zipFile } from '../../../../support/files/exports.ts';
import { temporaryFolder } from '../../../../support/processes/server.ts';

const chatgpt = () => readExport(join(EXPORTS, 'chatgpt'), 'chatgpt');
const claude = () => readExport(join(EXPORTS, 'claude'), 'claude');

describe("ChatGPT's export", () => {
  it('is the branch that current_node ends, of all files, with what was spoken', async () => {
    expect(shown(await chatgpt())).toEqual([
      'chatgpt-11111111-aaaa user 2026-01-05T10:00:00.123Z Which tram goes up to the castle in Lisbon?',
      'chatgpt-11111111-aaaa assistant 2026-01-05T10:00:05.999Z Tram 28 climbs to the castle.',
      'chatgpt-11111111-aaaa user 2026-01-05T10:01:00.000Z Here is the ticket, what does it cost?',
      // It has no time of its own: that of the message before, which is hidden.
      'chatgpt-11111111-aaaa assistant 2026-01-05T10:01:04.000Z It costs three euros\nand is sold on board.',
      'chatgpt-22222222-bbbb user 2026-01-06T10:00:00.000Z My bicycle has a flat tyre.',
      // Neither current_node nor conversation_id, and a child that is its own ancestor.
      'chatgpt-33333333-cccc user 2023-03-28T10:40:00.000Z Name a planet with rings.',
      'chatgpt-33333333-cccc assistant 2023-03-28T10:40:02.000Z Saturn has rings.',
      // In each conversation, stored once.
      'chatgpt-custom-instructions user 2026-01-05T10:00:00.500Z I keep bees in Sintra.',
      'chatgpt-custom-instructions user 2026-01-05T10:00:00.500Z Answer briefly.',
    ]);
  });

  it('counts what it leaves out, and names what is broken by its place', async () => {
    const { leftOut, faults } = await chatgpt();
    expect(leftOut).toEqual({
      'system messages': 1,
      "the assistant's reasoning": 1,
      'calls of tools and their results': 2,
      'messages that ChatGPT hides': 1,
      'messages of other branches, edited or answered again': 2,
      // Two of them beside words, which are stored: a picture's and those that were spoken.
      'pictures, recordings and files': 3,
      'messages without text': 1,
    });
    expect(faults).toEqual([
      ['conversations-001.json, conversation 2', 'has no mapping, the tree of its messages'],
      ['conversations-001.json, conversation 3', 'has no id'],
      ['conversations-001.json, conversation 4', 'has no mapping, the tree of its messages'],
    ]);
  });

  it('has titles for --only', async () => {
    const { turns } = await chatgpt();
    expect(turns[0]!.title).toBe('Trip to Lisbon');
  });
});

it('ends with a tree that turns in circles', async () => {
  const node = (id: string, parent: string | null, child: string) => ({
    id,
    parent,
    children: [child],
    message: { author: { role: 'user' }, create_time: 1, content: { content_type: 'text', parts: [id] } },
  });
  const mapping = { a: node('a', null, 'b'), b: node('b', 'c', 'c'), c: node('c', 'b', 'b') };
  const file = (more: object) => textFile('c.json', JSON.stringify([{ id: '1', mapping, ...more }]));
  expect(shown(await readExport(file({}), 'chatgpt')).length).toBe(2);
  expect(shown(await readExport(file({ current_node: 'c' }), 'chatgpt')).length).toBe(2);
});

it('takes names of nodes for names, and nothing that an object has of itself', async () => {
  const conversation = { id: '1', mapping: {}, current_node: 'constructor' };
  const { turns, faults } = await readExport(textFile('c.json', JSON.stringify([conversation])), 'chatgpt');
  expect({ turns, faults }).toEqual({ turns: [], faults: [] });
});

it('gives up on a conversation that does not end', async () => {
  const MIB = 1024 * 1024;
  const reading = async (text: string) => {
    async function* chunks() {
      const bytes = Buffer.from(text);
      for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536);
    }
    let count = 0;
    for await (const _ of jsonValues(chunks(), MIB)) count++;
    return count;
  };
  const of = (bytes: number) => JSON.stringify({ a: 'x'.repeat(bytes) });
  expect(
    await reading(
      `[${Array(8)
        .fill(of(MIB / 4))
        .join()}]`,
    ),
  ).toBe(8);
  await expect(reading(`[${of(10)},${of(3 * MIB)}]`)).rejects.toThrow('conversation 2 is longer than 1 MiB');
  await expect(reading(of(3 * MIB))).rejects.toThrow('conversation 1 is longer than 1 MiB');
});

it('reads no bytes that are no UTF-8, in pieces of any size', async () => {
  const latin = Buffer.from('[{"uuid":"a","chat_messages":[]},{"uuid":"caf\u00e9"}]', 'latin1');
  for (const pieces of [1, 7, 65_536])
    await expect(readExport(textFile('c.json', latin), 'claude', {}, pieces)).rejects.toThrow(
      /^is not JSON in UTF-8/,
    );
});

it('keeps LoCoMo conversations without a sample_id apart', async () => {
  const sample = (text: string) => ({
    conversation: { session_1: [{ speaker: 'Ada', text }], session_1_date_time: '1:56 pm on 8 May, 2023' },
  });
  const { turns } = await readExport(
    textFile('l.json', JSON.stringify([sample('a'), sample('b')])),
    'locomo',
  );
  expect(turns.map(({ user, turn }) => [user, turn.text])).toEqual([
    ['conversation-1', 'a'],
    ['conversation-2', 'b'],
  ]);
});

it.each(['jsonl', 'locomo'] as const)('reads %s from one file alone', async format => {
  const zip = await zipFile('x.zip', {});
  await expect(readExport(zip, format)).rejects.toThrow('is not a file: name the file itself');
  await expect(readExport(temporaryFolder(), format)).rejects.toThrow('is not a file: name the file itself');
});

it("takes Claude's times without an offset for UTC, on every machine", async () => {
  const message = { uuid: 'm', sender: 'human', text: 'hello', created_at: '2026-01-01T10:00:00.123456' };
  const file = textFile('c.json', JSON.stringify([{ uuid: '1', chat_messages: [message] }]));
  const zone = process.env.TZ;
  process.env.TZ = 'Pacific/Auckland';
  try {
    const { turns } = await readExport(file, 'claude');
    expect(turns.map(({ turn }) => turn.timestamp)).toEqual(['2026-01-01T10:00:00.123Z']);
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

describe("Claude's export", () => {
  const NOON = '2026-01-01T12:00:00Z';
  const reading = (...messages: object[]) =>
    readExport(textFile('c.json', JSON.stringify([{ uuid: '1', chat_messages: messages }])), 'claude');

  it('takes names of senders and blocks for names, and nothing that an object has of itself', async () => {
    const { turns, leftOut } = await reading(
      { sender: 'constructor', text: 'x', created_at: NOON },
      { sender: 'human', content: [{ type: 'constructor' }, { type: 'toString' }], created_at: NOON },
    );
    expect(turns).toEqual([]);
    expect(leftOut).toEqual({ 'messages of an unknown role': 1, 'blocks of other kinds': 2 });
  });

  it('is a tree too where a message names no parent: that is a root', async () => {
    const message = (uuid: string, parent_message_uuid: string | null, second: number) => ({
      uuid,
      parent_message_uuid,
      sender: 'human',
      text: uuid,
      created_at: `2026-01-01T12:00:0${second}Z`,
    });
    const { turns, leftOut } = await reading(
      message('question', null, 0),
      message('first answer', 'question', 1),
      message('second answer', 'question', 2),
      message('thanks', 'second answer', 3),
    );
    expect(turns.map(({ turn }) => turn.text)).toEqual(['question', 'second answer', 'thanks']);
    expect(leftOut).toEqual({ 'messages of other branches, edited or answered again': 1 });
  });

  it('is the branch of the last message, its text blocks alone, in UTC', async () => {
    expect(shown(await claude())).toEqual([
      'claude-c1aude-1 user 2026-02-01T08:00:00.123Z How long does sourdough rise?',
      'claude-c1aude-1 assistant 2026-02-01T08:00:09.000Z About twelve hours\n\nin a cold kitchen.',
      'claude-c1aude-1 user 2026-02-01T07:01:00.000Z Thanks!',
      'claude-c1aude-2 user 2024-03-01T10:00:00.000Z Who wrote the first program?',
      'claude-c1aude-2 assistant 2024-03-01T10:00:00.000Z Ada Lovelace did.',
    ]);
  });

  it('counts what it leaves out', async () => {
    const { leftOut, faults } = await claude();
    expect(faults).toEqual([]);
    expect(leftOut).toEqual({
      'attachments and files': 1,
      "the assistant's reasoning": 1,
      'calls of tools and their results': 3,
      'messages of other branches, edited or answered again': 1,
      'messages of an unknown role': 1,
      'messages without text': 1,
    });
  });
});
