import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createProjectionsDatabase } from '../../../../../../infra/embedded/index/file/create-database.ts';
import {
  formatOf,
  PROJECTIONS_FORMAT,
  STORED_PROJECTIONS,
  TABLES,
} from '../../../../../../infra/embedded/index/file/stored-projections.ts';
import { temporaryFolder } from '../../../../../support/processes/server.ts';

/** The names of the tables and indices of a new file, and the columns of its tables. */
const created = () => {
  const database = createProjectionsDatabase(join(temporaryFolder(), 'projections-1.db'));
  // SQLite makes those whose names begin with its own.
  const made = `sqlite_schema s WHERE s.name NOT LIKE 'sqlite%'`;
  const names = database.prepare(`SELECT s.name FROM ${made}`).all();
  const columns = database
    .prepare(
      `SELECT s.name AS "table", c.name FROM pragma_table_info(s.name) c, ${made} AND s.type = 'table'`,
    )
    .all();
  database.close();
  return { names: names.map(({ name }) => String(name)), columns };
};

const changed = (what: string | RegExp, by: string): string[] => TABLES.map(sql => sql.replace(what, by));

it('has another format without any of the tables and indices of its file, or with one in another order', () => {
  expect(formatOf(TABLES)).toBe(PROJECTIONS_FORMAT);
  const { names } = created();
  expect(names.length).toBeGreaterThan(20);
  const unseen = names.filter(
    name => formatOf(changed(new RegExp(`EXISTS ${name}\\b`), 'EXISTS another')) === PROJECTIONS_FORMAT,
  );
  expect(unseen).toEqual([]);
  expect(formatOf(TABLES.toReversed())).not.toBe(PROJECTIONS_FORMAT);
});

it('has another format without any column of its tables', () => {
  const { columns } = created();
  expect(columns.length).toBeGreaterThan(80);
  const unseen = columns.filter(({ table, name }) => {
    const inTable = new RegExp(`(EXISTS ${table} \\([^;]*?)\\b${name}\\b`);
    return formatOf(changed(inTable, '$1another')) === PROJECTIONS_FORMAT;
  });
  expect(unseen).toEqual([]);
});

it('keeps its format when only comments or spaces of its SQL change', () => {
  expect(formatOf(changed(/\n/, '  -- another comment\n\n '))).toBe(PROJECTIONS_FORMAT);
});

it('has no table or index of two projections: the second one would be taken for there already', () => {
  const names = Object.values(STORED_PROJECTIONS).flatMap(({ tables }) =>
    [...tables.matchAll(/CREATE (?:UNIQUE )?(?:TABLE|INDEX) IF NOT EXISTS (\w+)/g)].map(([, name]) => name),
  );
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
