import type { DatabaseSync } from 'node:sqlite';
import type { MentionRemover } from './remove-mentions.ts';
import { EXPIRED, type WordRemover } from './remove-words.ts';

/** Fragments that one step removes: some tens of milliseconds. */
export const SWEPT_AT_ONCE = 500;

export interface ExpirySweeper {
  /**
   * Removes some of the data that had expired at `now`; a turn's identity stays, for claims, usage and
   * re-sends. Returns the number removed; there may be more if that is `SWEPT_AT_ONCE`. Data that a later
   * copy of its event writes again is found again.
   */
  sweep(now: number): number;
  /** Returns whether any turn was swept. Most files have none, and every observation asks. */
  hasAny(): boolean;
  /** Returns whether the turn's words were removed, so that nothing of it must be written again. */
  isSwept(turnId: Uint8Array): boolean;
  /** Called after a rollback. */
  forget(): void;
}

export const openExpirySweeper = (
  database: DatabaseSync,
  remove: WordRemover,
  mentions: Pick<MentionRemover, 'expired'>,
): ExpirySweeper => {
  const DUE = `SELECT lower(hex(id)) AS id, kind, session FROM fragments`;
  const byThemselves = database.prepare(
    `${DUE} WHERE kind < ${EXPIRED} AND expires <= ?1 LIMIT ${SWEPT_AT_ONCE}`,
  );
  const byRetention = database.prepare(
    `${DUE} WHERE kind < ${EXPIRED} AND expires IS NULL AND organization = ?1 AND kept_from <= ?2 LIMIT ?3`,
  );
  const retentions = database.prepare(
    `SELECT o.no, max(min(r.until, ?1) - r.ms) AS gone FROM retentions r JOIN scopes o ON o.key = json_array(r.org)
     WHERE r.since <= ?1 GROUP BY o.no`,
  );
  const strayVectors = database.prepare(
    `DELETE FROM vectors WHERE no IN (SELECT no FROM vectors WHERE expires <= ?1 LIMIT ${SWEPT_AT_ONCE})`,
  );
  const noteSessions = database.prepare(
    `INSERT INTO swept_sessions SELECT p.org, p.user, s.name, abs(random() % (1 << 53)) FROM sessions s
       JOIN scopes p ON p.no = s.partition WHERE s.no IN (SELECT value FROM json_each(?))
       ON CONFLICT DO UPDATE SET swept = excluded.swept`,
  );
  const findSwept = database.prepare(`SELECT 1 FROM fragments WHERE id = ? AND kind >= ${EXPIRED}`);

  const findAny = database.prepare(`SELECT 1 FROM fragments WHERE kind >= ${EXPIRED} LIMIT 1`);
  /** Undefined after a rollback. */
  let hasAny: boolean | undefined;

  const due = (now: number): Record<string, unknown>[] => {
    const found = byThemselves.all(now);
    for (const { no, gone } of retentions.all(now)) {
      if (found.length >= SWEPT_AT_ONCE) break;
      found.push(...byRetention.all(Number(no), Number(gone), SWEPT_AT_ONCE - found.length));
    }
    return found;
  };

  return {
    sweep: now => {
      const found = due(now);
      const { turns = [], observations = [] } = Object.groupBy(found, ({ kind }) =>
        Number(kind) === 1 ? 'observations' : 'turns',
      );
      const digits = (rows: readonly Record<string, unknown>[]) => rows.map(({ id }) => String(id));
      if (found.length > 0) {
        remove({ turns: digits(turns), observations: digits(observations) }, EXPIRED);
        noteSessions.run(JSON.stringify([...new Set(found.map(({ session }) => Number(session)))]));
      }
      // Mentions of turns whose own event is in the dead letters.
      const stray = mentions.expired(now, SWEPT_AT_ONCE);
      const vectors = Number(strayVectors.run(now).changes);
      if (found.length > 0) hasAny = undefined;
      return Math.max(found.length, stray, vectors);
    },
    hasAny: () => (hasAny ??= findAny.get() !== undefined),
    isSwept: turnId => findSwept.get(turnId) !== undefined,
    forget: () => {
      hasAny = undefined;
    },
  };
};
