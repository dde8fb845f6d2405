import { hash } from 'node:crypto';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createProjectionsDatabase } from '../../../../../infra/embedded/index/create-database.ts';
import { PROJECTIONS_FORMAT } from '../../../../../infra/embedded/index/stored-projections.ts';
import { temporaryFolder } from '../../../../support/server.ts';

it('creates the tables of its format: other tables, or others in another order, are another format', () => {
  const database = createProjectionsDatabase(join(temporaryFolder(), 'projections-1.db'));
  const tables = database.prepare('SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema').all();
  database.close();
  const digest = hash('sha256', JSON.stringify(tables)).slice(0, 16);
  expect({ [PROJECTIONS_FORMAT]: digest }).toEqual({ 6: 'df07479bf9ff7f08' });
});
