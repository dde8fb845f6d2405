import { describe, expect, it } from 'vitest';
import { PROJECTIONS } from '../../../../projections/all.ts';
import type { Column, RowKind } from '../../../../projections/recall/column.ts';
import { COLUMNS, columnsVersion } from '../../../../projections/recall/columns.ts';

const columns: Record<string, readonly Column<never>[]> = COLUMNS;
const now = columnsVersion(columns);

/** The columns with one of them replaced. */
const withOne = (kind: string, at: number, ...by: Column<never>[]) => ({
  ...columns,
  [kind]: columns[kind]!.toSpliced(at, 1, ...by),
});

describe('the version of the recall index', () => {
  it('names its columns, so that a release with others rebuilds it', () => {
    expect(PROJECTIONS.recall.version).toMatch(new RegExp(`^\\d+-${now}$`));
  });

  it.each(Object.keys(COLUMNS) as RowKind[])('is another one when any column of a %s is', kind => {
    for (const [at, column] of columns[kind]!.entries()) {
      const others = [
        withOne(kind, at),
        withOne(kind, at, column, { ...column, name: 'added' }),
        withOne(kind, at, { ...column, name: `${column.name}_renamed` }),
        withOne(kind, at, { ...column, type: column.type === 'json' ? 'bytes' : 'json' }),
        withOne(kind, at, { ...column, mapping: { type: 'another' } }),
        withOne(kind, at, { ...column, field: 'another' }),
        withOne(kind, at, { ...column, shown: 'another' }),
      ];
      expect(others.map(columnsVersion)).not.toContain(now);
    }
  });
});
