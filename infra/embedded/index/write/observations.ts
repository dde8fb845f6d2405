import type { DatabaseSync } from 'node:sqlite';
import { factKey } from '../../../../projections/facts/stored-fact.ts';
import { bytesOfId, partitionNumber } from '../projections-database.ts';
import {
  entryTimes,
  expiryColumns,
  FRAGMENT,
  openTell,
  originColumns,
  toldAt,
  type Write,
} from './fragments.ts';
import type { MetadataWriter } from './metadata.ts';
import { openRelisting } from './relisting.ts';
import type { ScopeWriter } from './scope-writer.ts';

const NO_DOCUMENT = new Uint8Array();

export const openObservationWriter = (
  database: DatabaseSync,
  scopes: ScopeWriter,
  metadata: MetadataWriter,
  turnBytes: (id: string) => Uint8Array,
): ((observation: Write<'observation'>) => void) => {
  const insert = database.prepare(`INSERT INTO ${FRAGMENT.into} ON CONFLICT (id) DO NOTHING`);
  // The same words about a turn are one observation. A client's takes precedence over an extractor's, whichever of the
  // two topics is projected first.
  const upsert = database.prepare(
    `INSERT INTO ${FRAGMENT.into} ON CONFLICT (id) DO UPDATE SET source = excluded.source, document = excluded.document,
       fact = excluded.fact, fact_key = excluded.fact_key, fact_from = excluded.fact_from,
       metadata = excluded.metadata,
       place = excluded.place, offset = excluded.offset, told = excluded.told, recorded = excluded.recorded,
       expires = excluded.expires, kept_from = excluded.kept_from
     WHERE source <> 'client' RETURNING no`,
  );
  const move = database.prepare(
    `UPDATE fragments SET offset = ?1, recorded = ?2, kept_from = iif(kept_from IS NULL, NULL, ?2)
     WHERE id = ?3 AND kind = 1 AND source = 'client' AND place = ?4 AND offset > ?5`,
  );
  const tell = openTell(database);
  const relist = openRelisting(database, scopes, metadata);

  return observation => {
    const { source, timestamp, role, document, origin, fact, corrects } = observation;
    const id = bytesOfId(observation.id)!;
    const scope = scopes.rowIds(observation.org, observation.user, observation.session);
    const { place, offset, recorded } = originColumns(origin);
    const own = metadata.numberOf(scope, observation.metadata);
    const { expires, kept_from } = expiryColumns(origin);
    const row = FRAGMENT.values({
      id,
      kind: 1,
      organization: scope.organization,
      partition: scope.partition,
      session: scope.session,
      timestamp,
      passive: 0,
      turn: turnBytes(observation.turnId),
      source,
      role,
      document: document ?? NO_DOCUMENT,
      text: Buffer.from(observation.text),
      fact: fact ? JSON.stringify(fact) : null,
      fact_key: fact ? factKey(fact) : null,
      fact_from: fact ? fact.validFrom : null,
      corrects: corrects ? bytesOfId(corrects.id)! : null,
      corrects_key: corrects?.key ?? null,
      metadata: own,
      told: toldAt(origin),
      place,
      offset,
      recorded,
      expires,
      kept_from,
    });
    // Extracted observations never replace anything: without RETURNING, writing them costs half as much.
    if (source !== 'client') {
      insert.run(...row);
      return;
    }
    const written = upsert.get(...row);
    if (written && document) {
      const number = Number(written.no);
      const listed = { timestamp, ...entryTimes(origin), kind: 1, role, document, metadata: own };
      scopes.add(scope, { number, ...listed });
    }
    if (written || origin.readAt === undefined) return;
    const { changes } = move.run(
      origin.offset,
      origin.recordedAt,
      id,
      partitionNumber(origin),
      origin.offset,
    );
    if (changes > 0) relist(id, observation);
    scopes.forgetFragments();
    tell(id, origin);
  };
};
