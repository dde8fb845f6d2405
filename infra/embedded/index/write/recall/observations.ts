import type { DatabaseSync } from 'node:sqlite';
import { COLUMNS } from '../../../../../projections/recall/columns.ts';
import { followedBy, keptFromOf } from '../../../../../projections/recall/recall-writes.ts';
import { bytesOfId, partitionNumber } from '../../file/projections-database.ts';
import { replaced } from '../../stored-columns.ts';
import { FRAGMENTS } from '../rows/recall-tables.ts';
import type { ScopeWriter } from '../scopes/scope-writer.ts';
import { entryTimes, fragmentColumns, openTell, type Write } from './fragments.ts';
import type { MetadataWriter } from './metadata.ts';
import { openRelisting } from './relisting.ts';

const valuesOf = FRAGMENTS.valuesOf(COLUMNS.observation);
const OBSERVED = COLUMNS.observation.map(({ name }) => name).filter(name => name !== 'id');

export const openObservationWriter = (
  database: DatabaseSync,
  scopes: ScopeWriter,
  metadata: MetadataWriter,
): ((observation: Write<'observation'>) => void) => {
  const insert = database.prepare(`INSERT INTO ${FRAGMENTS.into} ON CONFLICT (id) DO NOTHING`);
  // The same words about a turn are one observation. A client's takes precedence over an extractor's,
  // whichever of the two topics is projected first.
  const upsert = database.prepare(
    `INSERT INTO ${FRAGMENTS.into} ON CONFLICT (id) DO UPDATE SET ${replaced([...OBSERVED, 'log_partition', 'offset', 'read_offset'])}
     WHERE source <> 'client' RETURNING no`,
  );
  const move = database.prepare(
    `UPDATE fragments SET offset = ?1, recorded = ?2, kept_from = iif(kept_from IS NULL, NULL, ?6)
     WHERE id = ?3 AND kind = 1 AND source = 'client' AND log_partition = ?4 AND offset > ?5`,
  );
  const follow = database.prepare('INSERT OR IGNORE INTO followed (id, fragment) VALUES (?, ?)');
  const tell = openTell(database);
  const relist = openRelisting(database, scopes, metadata);

  return observation => {
    const { source, timestamp, role, document, origin } = observation;
    const scope = scopes.rowIds(observation.org, observation.user, observation.session);
    const own = metadata.numberOf(scope, observation.metadata);
    const row = valuesOf(observation, { kind: 1, ...fragmentColumns(scope, own, origin) });
    // Extracted observations never replace anything: without RETURNING, writing them costs half as much.
    if (source !== 'client') {
      insert.run(...row);
      return;
    }
    const written = upsert.get(...row);
    if (written) for (const id of followedBy(observation)) follow.run(bytesOfId(id)!, Number(written.no));
    if (written && document) {
      const number = Number(written.no);
      const listed = { timestamp, ...entryTimes(origin), kind: 1, role, document, metadata: own };
      scopes.add(scope, { number, ...listed });
    }
    if (written || origin.readAt === undefined) return;
    const id = bytesOfId(observation.id)!;
    const { changes } = move.run(
      origin.offset,
      origin.recordedAt,
      id,
      partitionNumber(origin),
      origin.offset,
      keptFromOf(origin) ?? null,
    );
    if (changes > 0) relist(id, observation);
    scopes.forgetFragments();
    tell(id, origin);
  };
};
