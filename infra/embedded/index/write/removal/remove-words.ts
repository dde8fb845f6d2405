import type { DatabaseSync } from 'node:sqlite';
import { WORDS } from '../../../../../projections/recall/columns.ts';
import { emptied } from '../../stored-columns.ts';
import type { MetadataWriter } from '../recall/metadata.ts';
import { INDICES_OF_TURNS } from '../rows/recall-tables.ts';
import type { ScopeWriter } from '../scopes/scope-writer.ts';
import type { MentionRemover } from './remove-mentions.ts';

/**
 * The kinds of fragments that a turn becomes when its words are removed: retracted, or swept after it
 * expired.
 */
export const IDENTITY = 2;
export const EXPIRED = 3;
/** The kind of a turn that was already an identity when it expired. */
const EXPIRED_IDENTITY = 4;

/** Ids in hexadecimal digits. */
export interface Words {
  turns: readonly string[];
  /** Observations to remove without their turns. */
  observations: readonly string[];
}

/** Removes the words of turns, with all their observations, and the words of single observations. */
export type WordRemover = (words: Words, kind: typeof IDENTITY | typeof EXPIRED) => void;

interface Removed {
  no: number;
  partition: number;
  organization: number;
}

export const openWordRemover = (
  database: DatabaseSync,
  scopes: Pick<ScopeWriter, 'flush' | 'remove'>,
  mentions: Pick<MentionRemover, 'ofTurns'>,
  metadata: Pick<MetadataWriter, 'clean'>,
): WordRemover => {
  const NAMED = '(SELECT unhex(value) FROM json_each(?1))';
  const REMOVED = 'RETURNING no, partition, organization, role';
  const emptyTurns = database.prepare(
    `UPDATE fragments SET kind = ?2, ${emptied(WORDS)} WHERE id IN ${NAMED} AND kind = 0 ${REMOVED}`,
  );
  const metadataOfTurns = database.prepare(
    `SELECT DISTINCT metadata FROM fragments WHERE id IN ${NAMED} AND metadata IS NOT NULL`,
  );
  const markTurns = database.prepare(
    `UPDATE fragments SET kind = ${EXPIRED_IDENTITY} WHERE id IN ${NAMED} AND kind = ${IDENTITY}`,
  );
  const LISTED = `${REMOVED}, metadata, source = 'client' AND length(document) > 0 AS listed, ${CORRECTS}`;
  const deleteOfTurns = database.prepare(
    `DELETE FROM fragments WHERE kind = 1 AND turn IN ${NAMED} ${LISTED}`,
  );
  const deleteOne = database.prepare(`DELETE FROM fragments WHERE kind = 1 AND id IN ${NAMED} ${LISTED}`);
  const deleteVectors = database.prepare(`DELETE FROM vectors WHERE turn IN ${NAMED}`);
  const dropSpeaker = openSpeakerDropper(database);
  const unfollow = openUnfollower(database);

  const removeListed = (removed: readonly Removed[]): void => {
    for (const scope of ['partition', 'organization'] as const)
      for (const [number, its] of Map.groupBy(removed, one => one[scope]))
        scopes.remove(number, new Set(its.map(({ no }) => no)));
  };

  return (words, kind) => {
    // A file that is being built gets these indices only when a turn's rows are needed.
    for (const index of INDICES_OF_TURNS) database.exec(index);
    // Loose fragments become segments while they still have their words.
    scopes.flush();
    const turns = JSON.stringify(words.turns);
    const ofTurns = metadataOfTurns.all(turns);
    const emptied = emptyTurns.all(turns, kind);
    if (kind !== IDENTITY) markTurns.run(turns);
    const deleted = [...deleteOfTurns.all(turns), ...deleteOne.all(JSON.stringify(words.observations))];
    removeListed([...emptied, ...deleted.filter(({ listed }) => Number(listed) === 1)].map(removedOf));
    unfollow(deleted);
    for (const row of emptied) dropSpeaker(removedOf(row), String(row.role));
    deleteVectors.run(turns);
    mentions.ofTurns(turns);
    metadata.clean([...ofTurns, ...deleted].map(row => row.metadata as number | null));
  };
};

/** Whether a deleted fragment was a correction, as a column of `RETURNING`. */
export const CORRECTS = 'corrected_id IS NOT NULL AS corrects';

/** Forgets what deleted corrections followed. */
export const openUnfollower = (database: DatabaseSync) => {
  const forget = database.prepare('DELETE FROM followed WHERE fragment IN (SELECT value FROM json_each(?))');
  return (deleted: readonly Record<string, unknown>[]): void => {
    const corrections = deleted.filter(({ corrects }) => Number(corrects) === 1);
    if (corrections.length > 0) forget.run(JSON.stringify(corrections.map(({ no }) => Number(no))));
  };
};

const removedOf = ({ no, partition, organization }: Record<string, unknown>): Removed => ({
  no: Number(no),
  partition: Number(partition),
  organization: Number(organization),
});

/**
 * Removes a role from a scope's speakers if no turn of the scope has it. The first other turn answers that.
 */
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
