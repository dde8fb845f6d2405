import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { decodeDocument } from '../../../../../../domain/language/vectors/codec.ts';
import { createProjectionsDatabase } from '../../../../../../infra/embedded/index/file/create-database.ts';
import { openProjectionStore } from '../../../../../../infra/embedded/index/file/projection-store.ts';
import { USAGE } from '../../../../../../infra/embedded/index/write/stored-usage.ts';
import { fold } from '../../../../../contracts/openers/embedded.ts';
import { temporaryFolder } from '../../../../../support/processes/server.ts';
import { recallMetered, turnRecorded } from '../../../../../support/worlds/builders.ts';

it('tells the days whose split does not add up', async () => {
  const path = join(temporaryFolder(), 'projections.db');
  const store = openProjectionStore(createProjectionsDatabase(path), decodeDocument);
  await store.apply({ ...fold([turnRecorded(1), recallMetered(2)]), positions: {} });
  await store.close();
  const database = new DatabaseSync(path);
  const unequal = () =>
    [...USAGE.derived!(database, undefined as never, decodeDocument)].map(({ kind, id }) => [kind, id]);
  expect(unequal()).toEqual([]);
  database.exec('UPDATE usage_splits SET tokens_out = tokens_out + 1 WHERE tokens_out > 0');
  expect(unequal()).toEqual([['split', '["acme","2026-03-10"]']]);
  database.exec('DELETE FROM usage_splits');
  expect(unequal()).toHaveLength(1);
  database.close();
});
