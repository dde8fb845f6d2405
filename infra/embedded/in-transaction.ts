import type { DatabaseSync } from 'node:sqlite';

/** Does the work in one write transaction; an error rolls it back. */
export const inTransaction = <T>(database: DatabaseSync, work: () => T): T => {
  database.exec('BEGIN IMMEDIATE');
  try {
    const done = work();
    database.exec('COMMIT');
    return done;
  } catch (error) {
    // When the disk is full, the transaction may already be rolled back.
    try {
      database.exec('ROLLBACK');
    } catch {}
    throw error;
  }
};
