import { expect, it } from 'vitest';
import { detectFormat } from '../../../../../../services/surfaces/importers/detect.ts';
import { openArchive } from '../../../../../../services/surfaces/importers/files/archive.ts';
import { readExport, shown, textFile, zipFile } from '../../../../../support/files/exports.ts';

const lines = (...records: object[]) => records.map(record => `${JSON.stringify(record)}\n`).join('');
const manifest = (cogx_version: string) =>
  JSON.stringify({ cogx_version, source_system: 'cognee', exported_at: '2026-01-09T00:00:00Z', counts: {} });

const FILES = {
  'manifest.json': manifest('0.1'),
  'episodes.jsonl': lines({
    kind: 'episode',
    external_id: 'ep1',
    title: 'Bees',
    scope: { user_id: 'u1' },
    created_at: '2026-01-05T10:00:00Z',
    turns: [
      { role: 'user', content: 'When do bees swarm?', occurred_at: '2026-01-05T10:00:01Z' },
      { role: 'assistant', content: 'In May.' },
    ],
  }),
  'documents.jsonl': lines(
    {
      kind: 'document',
      external_id: 'd1',
      title: 'beds.md',
      content: 'Bed 1: beans.',
      created_at: 1_767_607_200_000,
    },
    { kind: 'document', external_id: 'd2', content: 'Untitled.' },
  ),
  'memories.jsonl': lines({
    kind: 'memory',
    external_id: 'm1',
    content: 'Lives in Porto',
    scope: { run_id: 'r1' },
    created_at: '2026-01-01',
    updated_at: '2026-01-02T00:00:00',
  }),
  'memory_blocks.jsonl': lines(
    {
      kind: 'memory_block',
      external_id: 'b1',
      label: 'human',
      value: 'Keeps bees.',
      created_at: '2026-01-03T00:00:00Z',
    },
    { kind: 'memory_block', external_id: 'b2', label: 'persona', value: 'I am Sam.' },
  ),
  'entities.jsonl': lines(
    { kind: 'entity', external_id: 'n1', name: 'Ada', description: 'A beekeeper.' },
    { kind: 'entity', external_id: 'n2', name: 'Porto' },
  ),
  'facts.jsonl': `${lines(
    {
      kind: 'fact',
      external_id: 'f1',
      subject_ref: 'n1',
      predicate: 'livesIn',
      object_ref: 'n2',
      valid_at: '2026-01-05T00:00:00Z',
    },
    { kind: 'fact', external_id: 'f2', subject_ref: 'chunk', predicate: 'is_part_of', object_ref: 'doc' },
  )}\nnot secret JSON\n`,
  'nodes.jsonl': lines({ id: 'chunk', type: 'DocumentChunk', text: 'Bed 1: beans.' }),
};

it('reads each kind of record, from a folder below the top, too', async () => {
  for (const files of [
    FILES,
    Object.fromEntries(Object.entries(FILES).map(([path, text]) => [`backup/${path}`, text])),
  ]) {
    const zip = await zipFile('backup.zip', files);
    expect(await detectFormat(await openArchive(zip))).toBe('cogx');
    const reading = await readExport(zip, 'cogx', { user: 'owner' });
    expect(shown(reading)).toEqual([
      'cogx-ep1 user 2026-01-05T10:00:01.000Z When do bees swarm?',
      'cogx-ep1 assistant 2026-01-05T10:00:01.000Z In May.',
      'cogx-documents document 2026-01-05T10:00:00.000Z beds.md\n\nBed 1: beans.',
      'cogx-documents document 2026-01-09T00:00:00.000Z Untitled.',
      'cogx-r1 memory 2026-01-02T00:00:00.000Z Lives in Porto',
      'cogx-memories memory 2026-01-03T00:00:00.000Z Keeps bees.',
      'cogx-facts memory 2026-01-05T00:00:00.000Z Ada lives in Porto',
    ]);
    expect(reading.turns.map(({ user }) => user)).toEqual(['u1', 'u1', ...Array(5).fill('owner')]);
    expect(reading.turns.at(-1)!.turn.observations).toEqual([
      expect.objectContaining({ subject: 'Ada', attribute: 'lives_in', value: 'Porto' }),
    ]);
    expect(reading.leftOut).toEqual({
      'summaries of things, which were made from what was said': 1,
      'what an agent is told about itself': 1,
      'edges without a sentence': 1,
    });
    expect(reading.faults).toEqual([
      [expect.stringMatching(/facts\.jsonl, line 4$/), 'is no JSON object in UTF-8, or is too long'],
    ]);
  }
});

it('refuses a later major version, and what is no such folder', async () => {
  const later = await zipFile('b.zip', { ...FILES, 'manifest.json': manifest('1.0') });
  await expect(readExport(later, 'cogx')).rejects.toThrow('is COGX of another version than 0');
  const minor = await zipFile('b.zip', { ...FILES, 'manifest.json': manifest('0.7') });
  expect((await readExport(minor, 'cogx')).turns).toHaveLength(7);
  const other = await zipFile('b.zip', { 'manifest.json': '{"name":"an app"}' });
  expect(await detectFormat(await openArchive(other))).toBeUndefined();
  await expect(readExport(other, 'cogx')).rejects.toThrow('unpack a .cogx.tar.gz first');
  await expect(readExport(textFile('a.json', '{}'), 'cogx')).rejects.toThrow('has no manifest.json');
});
