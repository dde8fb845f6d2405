import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import type { Event } from '../../../../../../core/log/events.ts';
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

/** A turn that was recorded again while its first record was unreadable, and that record's requeued copy. */
const again: Event = turnRecorded(9);
const requeued: Event = { ...again, offset: 3, readAt: 12, recorded_at: '2026-03-08T08:00:00.000Z' };

it.each([
  ['in one step', [[again, requeued]]],
  ['in two steps', [[again], [requeued]]],
])('bills a turn once, on its first day, when its requeued copy comes %s with it', async (_, steps) => {
  const database = createProjectionsDatabase(join(temporaryFolder(), 'projections.db'));
  const store = openProjectionStore(database, decodeDocument);
  for (const events of steps) await store.apply({ ...fold(events), positions: {} });
  const billed = { org: 'acme', day: '2026-03-08', tokens_in: 7, tokens_out: 0 };
  const days = database.prepare(
    'SELECT org, day, tokens_in, tokens_out FROM usage_days WHERE tokens_in <> 0',
  );
  const events = database.prepare('SELECT org, day, tokens_in, tokens_out FROM usage_events');
  expect(days.all()).toEqual([billed]);
  expect(events.all()).toEqual([billed]);
  await store.close();
});
