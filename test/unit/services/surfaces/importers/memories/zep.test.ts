import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../../../../../services/surfaces/importers/detect.ts';
import { openArchive } from '../../../../../../services/surfaces/importers/files/archive.ts';
import { readExport, shown, textFile, zipFile } from '../../../../../support/files/exports.ts';

const GRAPH = {
  episodes: [
    {
      uuid: 'e1',
      name: 'chat 1',
      source: 'message',
      group_id: 'g1',
      content: 'Ada: I moved to Porto.\nIt rains.\nassistant (assistant): Noted.',
      valid_at: '2026-01-05T10:00:00.123456+00:00',
      created_at: '2026-01-07T00:00:00Z',
    },
    { uuid: 'e2', source: 'text', content: 'Note: bees swarm in May.', created_at: '2026-01-06T10:00:00Z' },
    { uuid: 'e3', source: 'json', content: '{"a":1}', created_at: '2026-01-06T10:00:00Z' },
    { uuid: 'e4', source: 'text', content: 'no time' },
    {
      uuid: 'e5',
      role: 'Ben',
      role_type: 'user',
      content: 'Hello.',
      thread_id: 't1',
      user_id: 'u1',
      created_at: '2026-01-06T10:00:00Z',
    },
  ],
  nodes: [
    { uuid: 'n1', name: 'Ada', labels: ['Entity', 'Person'], summary: 'Ada moved.' },
    { uuid: 'n2', name: 'Lisbon', labels: ['Entity'] },
    { uuid: 'n3', name: 'Porto', labels: ['Entity'] },
  ],
  edges: [
    {
      uuid: 'x1',
      name: 'LIVES_IN',
      fact: 'Ada lives in Lisbon.',
      source_node_uuid: 'n1',
      target_node_uuid: 'n2',
      valid_at: '2025-01-01T00:00:00Z',
      invalid_at: '2026-01-05T00:00:00Z',
      created_at: '2026-01-05T10:00:01Z',
    },
    {
      uuid: 'x2',
      name: 'LIVES_IN',
      fact: 'Ada lives in Porto.',
      source_node_uuid: 'n1',
      target_node_uuid: 'n3',
      valid_at: '2026-01-05T00:00:00Z',
      invalid_at: null,
      expired_at: null,
    },
    {
      uuid: 'x3',
      name: 'KNOWS',
      fact: 'Ada knows somebody.',
      source_node_uuid: 'n1',
      target_node_uuid: 'gone',
      created_at: '2026-01-05T10:00:01Z',
    },
    {
      uuid: 'x4',
      name: 'knows',
      fact: '',
      source_node_uuid: 'gone',
      target_node_uuid: 'n1',
      created_at: '2026-01-05T10:00:01Z',
    },
    { uuid: 'x5', name: 'KNOWS', fact: 'Ada knows Ben.', source_node_uuid: 'n1', target_node_uuid: 'n2' },
  ],
};

describe('a graph', () => {
  it('is what was put in, by its speakers, and the facts with their times', async () => {
    const file = textFile('graph.json', JSON.stringify(GRAPH, null, 2));
    expect(await detectFormat(await openArchive(file))).toBe('zep');
    const reading = await readExport(file, 'zep', { user: 'owner' });
    expect(shown(reading)).toEqual([
      'zep-g1 Ada 2026-01-05T10:00:00.123Z I moved to Porto.\nIt rains.',
      'zep-g1 assistant 2026-01-05T10:00:00.124Z Noted.',
      'zep-episodes document 2026-01-06T10:00:00.000Z Note: bees swarm in May.',
      'zep-t1 Ben 2026-01-06T10:00:00.000Z Hello.',
      'zep-facts memory 2025-01-01T00:00:00.000Z Ada lives in Lisbon (until 2026-01-05).',
      'zep-facts memory 2026-01-05T00:00:00.000Z Ada lives in Porto.',
      'zep-facts memory 2026-01-05T10:00:01.000Z Ada knows somebody.',
    ]);
    expect(reading.turns.map(({ user }) => user)).toEqual([
      ...Array(3).fill('owner'),
      'u1',
      ...Array(3).fill('owner'),
    ]);
    expect(reading.turns.slice(4).map(({ turn }) => turn.observations)).toEqual([
      [
        {
          text: 'Ada lives in Lisbon (until 2026-01-05).',
          subject: 'Ada',
          attribute: 'lives_in',
          value: 'Lisbon',
          stance: 'was',
        },
      ],
      [
        {
          text: 'Ada lives in Porto.',
          subject: 'Ada',
          attribute: 'lives_in',
          value: 'Porto',
          valid_from: '2026-01-05T00:00:00.000Z',
        },
      ],
      undefined,
    ]);
    expect(reading.leftOut).toEqual({
      'data that was put in as JSON': 1,
      'summaries of things, which were made from what was said': 1,
      'edges without a sentence': 1,
    });
    expect(reading.faults).toEqual([
      ['episode 4', 'has no time'],
      ['edge 5', 'has no time'],
    ]);
  });

  it('may call its lists otherwise', async () => {
    const other = { entities: GRAPH.nodes, facts: GRAPH.edges.slice(0, 1) };
    const file = textFile('graph.json', JSON.stringify(other));
    expect(await detectFormat(await openArchive(file))).toBe('zep');
    expect((await readExport(file, 'zep')).turns).toHaveLength(1);
  });

  it("may be a thread's messages", async () => {
    const message = (role: string, name: string | undefined, content: string) => ({
      uuid: 'm',
      role,
      name,
      content,
      created_at: '2026-01-05T10:00:00Z',
    });
    const thread = {
      messages: [message('user', 'Ada', 'Note: I keep bees.'), message('assistant', undefined, 'Noted.')],
    };
    const file = textFile('thread.json', JSON.stringify(thread));
    expect(await detectFormat(await openArchive(file))).toBe('zep');
    expect(shown(await readExport(file, 'zep'))).toEqual([
      'zep-thread Ada 2026-01-05T10:00:00.000Z Note: I keep bees.',
      'zep-thread assistant 2026-01-05T10:00:00.000Z Noted.',
    ]);
  });
});

it('refuses what is no graph, and a folder', async () => {
  await expect(readExport(textFile('a.json', '{"episodes": []}'), 'zep')).rejects.toThrow(
    'has no episodes, edges or messages of Zep or Graphiti',
  );
  await expect(readExport(await zipFile('a.zip', {}), 'zep')).rejects.toThrow('is not a file');
});
