import { expect, it } from 'vitest';
import { detectFormat } from '../../../../../../services/surfaces/importers/detect.ts';
import { openArchive } from '../../../../../../services/surfaces/importers/files/archive.ts';
import { readExport, shown, textFile, zipFile } from '../../../../../support/files/exports.ts';

const at = (second: number) => `2026-01-05T10:00:0${second}.123456+00:00`;
const text = (words: string) => [{ type: 'text', text: words, signature: null }];
const call = (name: string, given: object) => ({
  id: 'c',
  type: 'function',
  function: { name, arguments: JSON.stringify(given) },
});

/** As Letta writes it since the summer of 2025. */
const FILE = {
  agents: [
    {
      name: 'beekeeper',
      id: 'agent-0',
      agent_type: 'letta_v1_agent',
      block_ids: ['block-0', 'block-1', 'block-9'],
      tool_exec_environment_variables: { KEY: 'secret' },
      messages: [
        { role: 'system', content: text('You are …'), created_at: at(0) },
        {
          role: 'user',
          content: text(JSON.stringify({ type: 'login', last_login: 'Never', time: 'x' })),
          created_at: at(1),
        },
        {
          role: 'user',
          content: text(JSON.stringify({ type: 'user_message', message: 'When do bees swarm?', time: 'x' })),
          created_at: at(2),
        },
        {
          role: 'assistant',
          content: [{ type: 'reasoning', reasoning: 'hm' }, ...text('Let me look.')],
          tool_calls: [call('conversation_search', { query: 'bees' })],
          created_at: at(3),
        },
        { role: 'tool', content: text('{"status":"OK"}'), tool_call_id: 'c', created_at: at(4) },
        { role: 'assistant', content: text('In May.'), tool_calls: null, created_at: at(5) },
        { role: 'user', content: text('{ thanks'), created_at: at(6) },
        { role: 'user', content: text('lost'), created_at: null },
      ],
    },
  ],
  groups: [],
  blocks: [
    { id: 'block-0', label: 'human', value: '\nKeeps bees in Sintra.\n' },
    { id: 'block-1', label: 'persona', value: 'I am Sam.' },
  ],
  created_at: '2026-01-06T00:00:00Z',
};

it('reads what was said, and the blocks of memory', async () => {
  const file = textFile('beekeeper.af', JSON.stringify(FILE, null, 2));
  expect(await detectFormat(await openArchive(file))).toBe('letta');
  const reading = await readExport(file, 'letta');
  expect(shown(reading)).toEqual([
    'letta-beekeeper user 2026-01-05T10:00:02.123Z When do bees swarm?',
    'letta-beekeeper assistant 2026-01-05T10:00:03.123Z Let me look.',
    'letta-beekeeper assistant 2026-01-05T10:00:05.123Z In May.',
    'letta-beekeeper user 2026-01-05T10:00:06.123Z { thanks',
    'letta-beekeeper memory 2026-01-06T00:00:00.000Z Keeps bees in Sintra.',
  ]);
  expect(reading.leftOut).toEqual({
    'system messages': 1,
    "Letta's own notes, as logins and heartbeats": 1,
    "the assistant's reasoning": 1,
    'calls of tools and their results': 2,
    'what an agent is told about itself': 1,
  });
  expect(reading.faults).toEqual([['message 8', 'has no time']]);
});

it('reads an agent of the first kind, whose words are in calls and whose text are thoughts', async () => {
  const agent = {
    agent_type: 'memgpt_agent',
    name: 'sam',
    core_memory: [
      { label: 'human', value: 'Name: Ada', created_at: at(0), updated_at: at(1) },
      { label: 'persona', value: 'I am Sam.' },
    ],
    in_context_message_indices: [0],
    messages: [
      {
        role: 'assistant',
        content: text('I should greet.'),
        tool_calls: [call('send_message', { message: 'Hello Ada.' })],
        created_at: at(2),
      },
      {
        role: 'assistant',
        content: text('I should look.'),
        tool_calls: [call('core_memory_append', { content: 'x' })],
        created_at: at(3),
      },
      { role: 'user', text: 'an older form', created_at: at(4) },
    ],
  };
  const zip = await zipFile('agents.zip', { 'sam.af': JSON.stringify(agent), 'broken.af': '{"agents": []}' });
  expect(await detectFormat(await openArchive(zip))).toBe('letta');
  const reading = await readExport(zip, 'letta');
  expect(shown(reading)).toEqual([
    'letta-sam assistant 2026-01-05T10:00:02.123Z Hello Ada.',
    'letta-sam user 2026-01-05T10:00:04.123Z an older form',
    'letta-sam memory 2026-01-05T10:00:01.123Z Name: Ada',
  ]);
  expect(reading.leftOut).toEqual({
    "the assistant's reasoning": 2,
    'calls of tools and their results': 1,
    'what an agent is told about itself': 1,
  });
  expect(reading.faults).toEqual([['broken.af, the file', 'has no agents']]);
});

it('names the file that is damaged, and never its words', async () => {
  const zip = await zipFile('agents.zip', { 'a.af': '{"agents": [{"name": "secret' });
  await expect(readExport(zip, 'letta')).rejects.toThrow(/^a\.af is not JSON in UTF-8, or was cut short$/);
});
