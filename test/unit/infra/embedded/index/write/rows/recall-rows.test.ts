import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeDocument } from '../../../../../../../domain/language/vectors/codec.ts';
import { createProjectionsDatabase } from '../../../../../../../infra/embedded/index/file/create-database.ts';
import { openProjectionStore } from '../../../../../../../infra/embedded/index/file/projection-store.ts';
import { recallRows } from '../../../../../../../infra/embedded/index/write/rows/recall-rows.ts';
import type { Column, RowKind } from '../../../../../../../projections/recall/column.ts';
import { COLUMNS } from '../../../../../../../projections/recall/columns.ts';
import { rowKindOf } from '../../../../../../../projections/recall/recall-row.ts';
import { recallRow } from '../../../../../../../projections/recall/verified-recall.ts';
import { makeComparison, rowKey } from '../../../../../../../projections/verify/compare.ts';
import { temporaryFolder } from '../../../../../../support/processes/server.ts';
import { writesOfEveryKind } from '../../../../../../support/recall-writes.ts';

/** Where the rows of a kind are. */
const TABLES: Record<RowKind, { table: string; where?: string; elsewhere?: Record<string, string> }> = {
  turn: { table: 'fragments', where: 'kind = 0' },
  identity: { table: 'fragments', where: 'kind = 2' },
  observation: { table: 'fragments', where: 'kind = 1' },
  mention: {
    table: 'findings',
    elsewhere: { id: 'entities', normalised: 'entities', label: 'spellings', kind: 'spellings' },
  },
  enriched: { table: 'findings' },
  vectors: { table: 'vectors' },
  job: { table: 'jobs' },
  retraction: { table: 'retracted' },
  correction: { table: 'corrections' },
};

const damaged = (value: unknown): number | string | Uint8Array => {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return `${value}x`;
  const bytes = Buffer.from(value as Uint8Array);
  // One bit further, the last one tells a statement's two ids apart.
  bytes[bytes.length - 1]! ^= 2;
  return bytes;
};

/** A file with rows of every kind, and what a verification of it would name. */
const openFile = async () => {
  const database = createProjectionsDatabase(join(temporaryFolder(), 'projections.db'));
  const store = openProjectionStore(database, decodeDocument);
  const writes = writesOfEveryKind();
  await store.apply({
    recall: writes,
    usage: [],
    accounts: [],
    audit: [],
    activity: [],
    logged: [],
    positions: {},
  });
  for (const name of ['in_sample', 'in_sample_by_name']) database.function(name, _id => 1);
  database.function('damaged', value => damaged(value));
  const expected = new Map(writes.map(write => [rowKey(recallRow(write)), recallRow(write)]));
  const kinds = new Set(writes.map(rowKindOf));
  const differing = (): Set<string> => {
    const comparison = makeComparison(expected);
    for (const row of recallRows(database)) comparison.stored(row);
    return new Set(comparison.end().differences.map(({ kind }) => kind));
  };
  return { database, kinds, differing, close: () => store.close() };
};

describe('the rows of a file', () => {
  it('are those of the writes that it was made from', async () => {
    const { kinds, differing, close } = await openFile();
    expect(kinds).toEqual(new Set(Object.keys(COLUMNS)));
    expect([...differing()]).toEqual([]);
    await close();
  });

  it('differ where any column was changed or lost', async () => {
    const { database, differing, close } = await openFile();
    for (const [kind, columns] of Object.entries(COLUMNS) as [RowKind, readonly Column<never>[]][]) {
      const { table, where = 'TRUE', elsewhere = {} } = TABLES[kind];
      for (const { name, type } of columns) {
        const of = elsewhere[name] ?? table;
        const change = type === 'terms' ? 'NULL' : `damaged(${name})`;
        database.exec('BEGIN');
        const sql = `UPDATE ${of} SET ${name} = ${change} WHERE ${name} IS NOT NULL AND ${where}`;
        expect(database.prepare(sql).run().changes, `${kind}.${name}`).toBeGreaterThan(0);
        expect(differing(), `${kind}.${name}`).toContain(kind);
        database.exec('ROLLBACK');
      }
    }
    await close();
  });
});
