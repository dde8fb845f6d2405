import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../../../../../services/surfaces/importers/detect.ts';
import { openArchive } from '../../../../../../services/surfaces/importers/files/archive.ts';
import { readExport, textFile, zipFile } from '../../../../../support/files/exports.ts';

const NOON = '2026-01-01T12:00:00Z';
const conversation = (more: object = {}) => ({
  uuid: 'c1',
  name: 'Bees',
  created_at: NOON,
  updated_at: '2026-01-02T09:00:00.123456Z',
  chat_messages: [{ uuid: 'm1', sender: 'human', text: 'When do bees swarm?', created_at: NOON }],
  ...more,
});
const CONVERSATIONS = JSON.stringify([conversation()]);
const PROJECT = {
  uuid: 'p1',
  name: 'Garden',
  description: 'My garden in Sintra.',
  prompt_template: 'Answer as a gardener.',
  is_private: true,
  is_starter_project: false,
  created_at: '2025-12-01T08:00:00.000000+00:00',
  updated_at: '2025-12-03T08:00:00.000000+00:00',
  docs: [
    { uuid: 'd1', filename: 'beds.md', content: 'Bed 1: beans.', created_at: '2025-12-02T08:00:00+00:00' },
    { uuid: 'd2', filename: 'empty.pdf', content: '' },
  ],
};
const MEMORY = {
  account_uuid: 'a',
  conversations_memory: '**Work**\n\nAda is a beekeeper.\n\n**Home**\n\nLives in Sintra.',
  project_memories: { p1: 'Beans in bed 1.', p2: 'Of a project that is gone.' },
};

const shownOf = async (path: string) => {
  const { turns, ...rest } = await readExport(path, 'claude');
  return {
    ...rest,
    turns: turns.map(({ session, title, turn }) => [session, title, turn.role, turn.timestamp, turn.text]),
  };
};

describe.each([
  [
    'lists',
    { 'projects.json': JSON.stringify([PROJECT]), 'memories.json': JSON.stringify([MEMORY]) },
    'projects.json, 1',
  ],
  [
    'a file each',
    { 'projects/p1.json': JSON.stringify(PROJECT), 'memories/a.json': JSON.stringify(MEMORY) },
    'projects/p1.json, 1',
  ],
])('projects and memories as %s', (_, files, location) => {
  it('are stored beside the conversations: words, documents and memories by their speakers', async () => {
    const zip = await zipFile('claude.zip', { 'conversations.json': CONVERSATIONS, ...files });
    expect(await detectFormat(await openArchive(zip))).toBe('claude');
    const { turns, leftOut, faults } = await shownOf(zip);
    expect(turns.slice(1)).toEqual([
      ['claude-project-p1', 'Garden', 'user', '2025-12-01T08:00:00.000Z', 'My garden in Sintra.'],
      ['claude-project-p1', 'Garden', 'user', '2025-12-01T08:00:00.000Z', 'Answer as a gardener.'],
      ['claude-project-p1', 'Garden', 'document', '2025-12-02T08:00:00.000Z', 'beds.md\n\nBed 1: beans.'],
      ['claude-memory', 'Memory', 'memory', '2026-01-02T09:00:00.123Z', '**Work**\n\nAda is a beekeeper.'],
      ['claude-memory', 'Memory', 'memory', '2026-01-02T09:00:00.123Z', '**Home**\n\nLives in Sintra.'],
      ['claude-project-p1', 'Garden', 'memory', '2026-01-02T09:00:00.123Z', 'Beans in bed 1.'],
      ['claude-project-p2', 'p2', 'memory', '2026-01-02T09:00:00.123Z', 'Of a project that is gone.'],
    ]);
    expect(leftOut).toEqual({ 'attachments and files': 1 });
    expect(faults).toEqual([]);
  });

  it('without conversations have no time for the memories, which is told', async () => {
    const zip = await zipFile('claude.zip', files);
    expect(await detectFormat(await openArchive(zip))).toBe('claude');
    const { turns, faults } = await shownOf(zip);
    expect(turns).toHaveLength(3);
    expect(faults).toEqual([
      [expect.stringContaining('memories'), 'has no time: put it into one folder with conversations.json'],
    ]);
  });

  it('that are broken are named by their place', async () => {
    const broken = Object.fromEntries(
      Object.entries(files).map(([path, text]) => [
        path,
        path.includes('projects') ? text.replace('"p1"', '3') : text,
      ]),
    );
    const zip = await zipFile('claude.zip', { 'conversations.json': CONVERSATIONS, ...broken });
    expect((await shownOf(zip)).faults).toEqual([[location, 'has no uuid or no created_at']]);
    const cut = await zipFile('claude.zip', {
      'conversations.json': CONVERSATIONS,
      'memories.json': '[{"secret',
    });
    await expect(readExport(cut, 'claude')).rejects.toThrow(
      /^memories\.json is not JSON in UTF-8, or was cut short$/,
    );
  });
});

it("leaves Claude's own project for beginners out", async () => {
  const zip = await zipFile('claude.zip', {
    'conversations.json': CONVERSATIONS,
    'projects.json': JSON.stringify([{ ...PROJECT, is_starter_project: true }]),
  });
  const { turns, leftOut } = await shownOf(zip);
  expect([turns.length, leftOut]).toEqual([1, { "Claude's own project for beginners": 1 }]);
});

it('stores a text that was pasted into a message with it, and no other file', async () => {
  const message = {
    uuid: 'm1',
    sender: 'human',
    created_at: NOON,
    content: [{ type: 'text', text: 'Shorten this:' }],
    attachments: [
      { file_name: '', file_type: 'txt', extracted_content: 'A long text.' },
      { file_name: 'paste.txt', extracted_content: 'Another one.' },
      { file_name: 'contract.pdf', extracted_content: 'Not mine.' },
      { file_name: 'paste.png' },
    ],
    files: [{ file_name: 'a.png' }],
  };
  const only = {
    ...message,
    uuid: 'm2',
    content: [],
    text: '',
    attachments: message.attachments.slice(0, 1),
  };
  const file = textFile('c.json', JSON.stringify([conversation({ chat_messages: [message, only] })]));
  const { turns, leftOut } = await shownOf(file);
  expect(turns.map(turn => turn[4])).toEqual([
    'Shorten this:\n\nA long text.\n\nAnother one.',
    'A long text.',
  ]);
  expect(leftOut).toEqual({ 'attachments and files': 4 });
});
