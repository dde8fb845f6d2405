import type { DatabaseSync } from 'node:sqlite';
import type { AccountState } from '../../../../projections/accounts/accounts-projection.ts';

/** The most rows that one batch of events drops: after a long pause, the rest is dropped in steps. */
const MOST_AT_ONCE = 1_000;

type Kind = AccountState['kind'] | 'event';

/**
 * Tracks when documents and the ids of events end, in Unix milliseconds, so that rows that no answer needs
 * can be dropped. Time is that of the log: the same events leave the same rows whenever they are projected.
 */
export const openAccountEnds = (database: DatabaseSync) => {
  const insert = database.prepare('INSERT OR IGNORE INTO account_ends VALUES (?, ?, ?)');
  const ended = database.prepare(
    'SELECT ends, kind, id FROM account_ends WHERE ends < ? ORDER BY ends LIMIT ?',
  );
  const remove = database.prepare('DELETE FROM account_ends WHERE ends = ? AND kind = ? AND id = ?');
  const removeEvent = database.prepare('DELETE FROM account_events WHERE id = ?');
  const removeDocument = database.prepare('DELETE FROM account_documents WHERE kind = ? AND id = ?');

  return {
    add: (kind: Kind, id: string, end: number | undefined): void => {
      if (end !== undefined) insert.run(end, kind, id);
    },
    dropBefore: (moment: number): void => {
      for (const { ends, kind, id } of ended.all(moment, MOST_AT_ONCE)) {
        if (kind === 'event') removeEvent.run(id!);
        else removeDocument.run(kind!, id!);
        remove.run(ends!, kind!, id!);
      }
    },
  };
};
