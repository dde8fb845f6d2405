import { hash } from 'node:crypto';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createProjectionsDatabase } from '../../../../../../infra/embedded/index/file/create-database.ts';
import {
  PROJECTIONS_FORMAT,
  STORED_PROJECTIONS,
} from '../../../../../../infra/embedded/index/file/stored-projections.ts';
import { temporaryFolder } from '../../../../../support/processes/server.ts';

it('creates the tables of its format: other tables, or others in another order, are another format', () => {
  const database = createProjectionsDatabase(join(temporaryFolder(), 'projections-1.db'));
  const tables = database.prepare('SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema').all();
  database.close();
  const digest = hash('sha256', JSON.stringify(tables)).slice(0, 16);
  expect({ [PROJECTIONS_FORMAT]: digest }).toEqual({ 10: 'c5071240929a1e3d' });
});

it('has no table or index of two projections: the second one would be taken for there already', () => {
  const names = Object.values(STORED_PROJECTIONS).flatMap(({ tables }) =>
    [...tables.matchAll(/CREATE (?:UNIQUE )?(?:TABLE|INDEX) IF NOT EXISTS (\w+)/g)].map(([, name]) => name),
  );
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
