import type { DatabaseSync } from 'node:sqlite';
import { hiddenIn, type Retract } from '../../../../projections/recall/projection.ts';
import { bytesOfId } from '../projections-database.ts';
import type { EntityCleaner } from './clean-entities.ts';
import { originColumns } from './fragments.ts';
import type { MetadataWriter } from './metadata.ts';
import { INDICES_OF_TURNS } from './recall-tables.ts';
import type { ScopeWriter } from './scope-writer.ts';

export interface RetractionWriter {
  /** Whether this was hidden: it is not written any more. */
  isHidden(id: Uint8Array): boolean;
  /** From now on `isHidden`; what the file has of it is removed by `apply`. */
  add(retract: Retract): void;
  /** Removes what was added since the last call; returns whether there was any. */
  apply(): boolean;
  /** Called after a rollback. */
  forget(): void;
}

interface Removed {
  no: number;
  partition: number;
  organization: number;
}

/**
 * Keeps a turn's identity, without its words, so that claims, usage and re-sends still know it, and removes its observations and
 * mentions. The words stay in unused space of the file until it is overwritten: only an erasure destroys them.
 */
export const openRetractionWriter = (
  database: DatabaseSync,
  scopes: Pick<ScopeWriter, 'rowIds' | 'flush' | 'remove'>,
  entities: EntityCleaner,
  metadata: Pick<MetadataWriter, 'clean'>,
): RetractionWriter => {
  const insert = database.prepare(
    `INSERT OR IGNORE INTO retracted (id, turn, session, place, offset, recorded) VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const find = database.prepare('SELECT 1 FROM retracted WHERE id = ?');
  const findAny = database.prepare('SELECT 1 FROM retracted LIMIT 1');
  const NAMED = '(SELECT unhex(value) FROM json_each(?))';
  const REMOVED = 'RETURNING no, partition, organization, role';
  const emptyTurns = database.prepare(
    `UPDATE fragments SET kind = 2, document = x'', text = x'', metadata = NULL WHERE id IN ${NAMED} AND kind = 0 ${REMOVED}`,
  );
  const metadataOfTurns = database.prepare(
    `SELECT DISTINCT metadata FROM fragments WHERE id IN ${NAMED} AND metadata IS NOT NULL`,
  );
  const LISTED = `${REMOVED}, metadata, source = 'client' AND length(document) > 0 AS listed`;
  const deleteOfTurns = database.prepare(
    `DELETE FROM fragments WHERE kind = 1 AND turn IN ${NAMED} ${LISTED}`,
  );
  const deleteOne = database.prepare(`DELETE FROM fragments WHERE kind = 1 AND id IN ${NAMED} ${LISTED}`);
  const deleteMentions = database.prepare(
    `DELETE FROM mentions WHERE turn IN ${NAMED} RETURNING entity, metadata`,
  );
  const dropSpeaker = openSpeakerDropper(database);
  /** Unknown after a rollback. Most files have none, and every observation asks. */
  let hasAny: boolean | undefined;
  let added: Retract[] = [];

  const removeListed = (removed: readonly Removed[]): void => {
    for (const scope of ['partition', 'organization'] as const)
      for (const [number, its] of Map.groupBy(removed, one => one[scope]))
        scopes.remove(number, new Set(its.map(({ no }) => no)));
  };

  return {
    isHidden: id => {
      hasAny ??= findAny.get() !== undefined;
      return hasAny && find.get(id) !== undefined;
    },
    add: retract => {
      const { org, user, session, turnId, origin } = retract;
      const { place, offset, recorded } = originColumns(origin);
      const id = bytesOfId(hiddenIn(retract))!;
      const row = scopes.rowIds(org, user, session).session;
      insert.run(id, bytesOfId(turnId)!, row, place, offset, recorded);
      hasAny = true;
      added.push(retract);
    },
    apply: () => {
      if (added.length === 0) return false;
      // A file that is being built has them only once something asks for what belongs to a turn.
      for (const index of INDICES_OF_TURNS) database.exec(index);
      // What the lists name is made into segments while it still has its words.
      scopes.flush();
      const turns = namesOf(added.filter(({ observationId }) => observationId === undefined));
      const observations = namesOf(added.filter(({ observationId }) => observationId !== undefined));
      added = [];
      const ofTurns = metadataOfTurns.all(turns);
      const emptied = emptyTurns.all(turns);
      const deleted = [...deleteOfTurns.all(turns), ...deleteOne.all(observations)];
      removeListed([...emptied, ...deleted.filter(({ listed }) => Number(listed) === 1)].map(removedOf));
      for (const row of emptied) dropSpeaker(removedOf(row), String(row.role));
      const mentions = deleteMentions.all(turns);
      entities.clean(mentions.map(({ entity }) => Number(entity)));
      metadata.clean([...ofTurns, ...deleted, ...mentions].map(row => row.metadata as number | null));
      return true;
    },
    forget: () => {
      hasAny = undefined;
      added = [];
    },
  };
};

const removedOf = ({ no, partition, organization }: Record<string, unknown>): Removed => ({
  no: Number(no),
  partition: Number(partition),
  organization: Number(organization),
});

/** Ids in hexadecimal digits, as JSON. */
const namesOf = (retractions: readonly Retract[]): string =>
  JSON.stringify(retractions.map(one => hiddenIn(one).slice(4)));

/** Takes a role off a scope's speakers when it has no turn there any more. The first other turn answers that. */
const openSpeakerDropper = (database: DatabaseSync) => {
  const speaksToUser = database.prepare(
    `SELECT 1 FROM sessions s CROSS JOIN fragments f ON f.session = s.no
     WHERE s.partition = ? AND f.kind = 0 AND f.role = ? LIMIT 1`,
  );
  const speaksToOthers = database.prepare(
    `SELECT 1 FROM scopes o CROSS JOIN scopes p ON p.org = o.org CROSS JOIN speakers s ON s.scope = p.no
     WHERE o.no = ?1 AND p.no <> ?1 AND s.role = ?2 LIMIT 1`,
  );
  const remove = database.prepare('DELETE FROM speakers WHERE scope = ? AND role = ?');
  return ({ partition, organization }: Removed, role: string): void => {
    if (speaksToUser.get(partition, role)) return;
    remove.run(partition, role);
    if (!speaksToOthers.get(organization, role)) remove.run(organization, role);
  };
};
