import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../../../../../services/surfaces/importers/detect.ts';
import { openArchive } from '../../../../../../services/surfaces/importers/files/archive.ts';
import { readExport, textFile } from '../../../../../support/files/exports.ts';

const memory = (words: string, more: object = {}) => ({
  id: `m-${words}`,
  memory: words,
  hash: 'x',
  user_id: 'ada',
  created_at: '2026-01-05T01:30:00.123456-08:00',
  updated_at: null,
  ...more,
});

describe("mem0's memories", () => {
  it.each<[string, (memories: object[]) => unknown]>([
    ['a list', memories => memories],
    ['a page', results => ({ results, relations: [] })],
  ])('are %s, each a turn of its user', async (_, shape) => {
    const file = textFile(
      'memories.json',
      JSON.stringify(
        shape([
          memory('Lives in Lyon'),
          memory('Works at Acme', { updated_at: '2026-02-01T00:00:00Z', run_id: 'r1' }),
          memory('Likes tea', { user_id: undefined }),
        ]),
      ),
    );
    expect(await detectFormat(await openArchive(file))).toBe('mem0');
    const { turns, faults } = await readExport(file, 'mem0', { user: 'owner' });
    expect(faults).toEqual([]);
    expect(
      turns.map(({ user, session, turn }) => [user, session, turn.role, turn.timestamp, turn.text]),
    ).toEqual([
      ['ada', 'mem0', 'memory', '2026-01-05T09:30:00.123Z', 'Lives in Lyon'],
      ['ada', 'r1', 'memory', '2026-02-01T00:00:00.000Z', 'Works at Acme'],
      ['owner', 'mem0', 'memory', '2026-01-05T09:30:00.123Z', 'Likes tea'],
    ]);
  });

  it('are told by their number where they are broken', async () => {
    const file = textFile(
      'memories.json',
      JSON.stringify([memory('a'), { id: 'b' }, memory('c', { created_at: 'once' }), memory('')]),
    );
    const { turns, faults } = await readExport(file, 'mem0');
    expect(turns).toHaveLength(1);
    expect(faults.map(([location]) => location)).toEqual(['memory 2', 'memory 3', 'memory 4']);
  });
});
