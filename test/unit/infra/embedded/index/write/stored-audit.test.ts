import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { makeYieldWhenDue } from '../../../../../../core/fairness/yield-when-due.ts';
import { decodeDocument } from '../../../../../../domain/language/vectors/codec.ts';
import { createProjectionsDatabase } from '../../../../../../infra/embedded/index/file/create-database.ts';
import { openProjectionStore } from '../../../../../../infra/embedded/index/file/projection-store.ts';
import { openAuditEntries } from '../../../../../../infra/embedded/index/read/audit-entries.ts';
import { noWrites } from '../../../../../../projections/all.ts';
import { projectAudit } from '../../../../../../projections/audit/audit-projection.ts';
import { temporaryFolder } from '../../../../../support/processes/server.ts';
import { auditNoted, EVERY_ENTRY } from '../../../../../support/worlds/builders.ts';

const DAY = 86_400_000;

const opened = () => {
  const path = join(temporaryFolder(), 'projections.db');
  const store = openProjectionStore(createProjectionsDatabase(path), decodeDocument);
  const reader = new DatabaseSync(path);
  const apply = (...events: ReturnType<typeof auditNoted>[]) =>
    store.apply({ ...noWrites(), audit: events.flatMap(projectAudit), logged: [], positions: {} });
  return { store, apply, page: openAuditEntries(reader, makeYieldWhenDue).page };
};

it('keeps the first copy in the log of an entry, whichever comes first', async () => {
  const { apply, page } = opened();
  const first = auditNoted(0);
  const later = { ...first, offset: 7, correlation_id: 'later', recorded_at: '2026-03-10T08:30:00.000Z' };
  await apply(later);
  await apply(first, later);
  expect(await page('acme', EVERY_ENTRY)).toEqual([
    expect.objectContaining({ id: first.id, request_id: first.correlation_id, at: first.recorded_at }),
  ]);
  expect(await page('globex', EVERY_ENTRY)).toEqual([]);
});

it('removes entries 400 days after they were made, and none before', async () => {
  const { store, apply, page } = opened();
  await apply(...Array.from({ length: 1_200 }, (_, n) => ({ ...auditNoted(3 * n), org_id: 'acme' })));
  const last = Date.parse(auditNoted(3 * 1_199).recorded_at);
  const first = Date.parse(auditNoted(0).recorded_at);
  while (await store.sweep(first + 400 * DAY - 1));
  expect(await page('acme', { ...EVERY_ENTRY, limit: 2_000 })).toHaveLength(1_200);
  while (await store.sweep(first + 400 * DAY));
  expect(await page('acme', { ...EVERY_ENTRY, limit: 2_000 })).toHaveLength(1_199);
  while (await store.sweep(last + 400 * DAY));
  expect(await page('acme', EVERY_ENTRY)).toEqual([]);
});
