import type { DatabaseSync } from 'node:sqlite';
import { bytesOfId } from '../projections-database.ts';
import { originColumns, type Write } from './fragments.ts';
import { insertInto } from './insert.ts';
import type { ScopeWriter } from './scope-writer.ts';

const JOB = insertInto('jobs', [
  'id',
  'org',
  'user',
  'session',
  'passive',
  'turns',
  'place',
  'offset',
  'recorded',
]);

export const openJobWriter = (database: DatabaseSync, scopes: ScopeWriter): ((job: Write<'job'>) => void) => {
  const upsert = database.prepare(
    `INSERT INTO ${JOB.into} ON CONFLICT DO UPDATE
     SET offset = excluded.offset, recorded = excluded.recorded WHERE offset > excluded.offset`,
  );
  return ({ id, org, user, session, passive, turnIds, origin }) => {
    const row = JOB.values({
      id,
      org,
      user,
      session: scopes.rowIds(org, user, session).session,
      passive: passive ? 1 : 0,
      turns: Buffer.concat(turnIds.map(turn => bytesOfId(turn)!)),
      ...originColumns(origin),
    });
    upsert.run(...row);
  };
};
