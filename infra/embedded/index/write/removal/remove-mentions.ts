import type { DatabaseSync } from 'node:sqlite';
import type { MetadataWriter } from '../recall/metadata.ts';
import type { EntityCleaner } from './clean-entities.ts';

/** Removes mentions, the entities that nothing mentions any more, and metadata without a row. */
export interface MentionRemover {
  /** Removes those of turns, a JSON array of ids in hexadecimal digits. */
  ofTurns(turns: string): void;
  /** Removes those of sessions, a JSON array of numbers, with events before this offset of the partition. */
  ofSessions(sessions: string, partition: number, offset: number): void;
  /** Removes those that had expired at `now`, of at most this many events; returns their number. */
  expired(now: number, most: number): number;
}

export const openMentionRemover = (
  database: DatabaseSync,
  entities: EntityCleaner,
  metadata: Pick<MetadataWriter, 'clean'>,
): MentionRemover => {
  const find = (where: string) =>
    database.prepare(`SELECT no, metadata FROM findings WHERE named IS NOT NULL AND ${where}`);
  const ofTurns = find('turn IN (SELECT unhex(value) FROM json_each(?))');
  const ofSessions = find('session IN (SELECT value FROM json_each(?)) AND log_partition = ? AND offset < ?');
  const expired = find('expires <= ? LIMIT ?');
  const NAMED = `SELECT s.entity, s.no, f.no FROM json_each(?1) j CROSS JOIN findings f ON f.no = j.value
     CROSS JOIN json_each(f.named) v CROSS JOIN spellings s ON s.no = v.value`;
  const removeNamed = database.prepare(
    `DELETE FROM named WHERE (entity, spelling, finding) IN (${NAMED}) RETURNING entity`,
  );
  // How an enrichment ended stays known.
  const OF_FINDINGS = 'no IN (SELECT value FROM json_each(?))';
  const empty = database.prepare(
    `UPDATE findings SET named = NULL, metadata = NULL, expires = NULL, kept_from = NULL
     WHERE ${OF_FINDINGS} AND outcome IS NOT NULL`,
  );
  const remove = database.prepare(`DELETE FROM findings WHERE ${OF_FINDINGS} AND outcome IS NULL`);

  const removeFrom = (findings: readonly Record<string, unknown>[]): number => {
    if (findings.length === 0) return 0;
    const numbers = JSON.stringify(findings.map(({ no }) => Number(no)));
    const named = removeNamed.all(numbers);
    empty.run(numbers);
    remove.run(numbers);
    entities.clean(named.map(({ entity }) => Number(entity)));
    metadata.clean(findings.map(row => row.metadata as number | null));
    return findings.length;
  };

  return {
    ofTurns: turns => void removeFrom(ofTurns.all(turns)),
    ofSessions: (...sessions) => void removeFrom(ofSessions.all(...sessions)),
    expired: (now, most) => removeFrom(expired.all(now, most)),
  };
};
