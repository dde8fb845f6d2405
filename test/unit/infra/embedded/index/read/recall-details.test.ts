import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createProjectionsDatabase } from '../../../../../../infra/embedded/index/file/create-database.ts';
import { openRecallDetails } from '../../../../../../infra/embedded/index/read/recall-details.ts';
import { openAnswersReader } from '../../../../../../infra/embedded/index/read/search/answers-reader.ts';
import { temporaryFolder } from '../../../../../support/processes/server.ts';

it('reads what belongs to turns from the turns on: an organization may have a million users', () => {
  const path = join(temporaryFolder(), 'projections-1.db');
  createProjectionsDatabase(path).close();
  const database = openAnswersReader(path, Date.now);
  const statements: string[] = [];
  openRecallDetails({
    prepare: sql => {
      statements.push(sql);
      return database.prepare(sql);
    },
    exec: sql => database.exec(sql),
  });
  const walking = statements.filter(sql =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .some(({ detail }) => String(detail).includes('scopes_by_name (org=?)')),
  );
  database.close();
  expect(statements.length).toBeGreaterThan(15);
  expect(walking).toEqual([]);
});
