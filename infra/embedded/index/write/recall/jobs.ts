import type { DatabaseSync } from 'node:sqlite';
import { COLUMNS } from '../../../../../projections/recall/columns.ts';
import { JOBS } from '../rows/recall-tables.ts';
import type { ScopeWriter } from '../scopes/scope-writer.ts';
import { addressColumns, type Write } from './fragments.ts';

const valuesOf = JOBS.valuesOf(COLUMNS.job);

export const openJobWriter = (database: DatabaseSync, scopes: ScopeWriter): ((job: Write<'job'>) => void) => {
  const upsert = database.prepare(
    `INSERT INTO ${JOBS.into} ON CONFLICT DO UPDATE
     SET offset = excluded.offset, recorded = excluded.recorded WHERE offset > excluded.offset`,
  );
  return job => {
    const { org, user } = job;
    const { session } = scopes.rowIds(org, user, job.session);
    upsert.run(...valuesOf(job, { org, user, session, ...addressColumns(job.origin) }));
  };
};
