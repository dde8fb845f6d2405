import type { DatabaseSync } from 'node:sqlite';

/** Does the work in one write transaction; an error rolls it back. */
export const inTransaction = (database: DatabaseSync, work: () => void): void => {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    // When the disk is full, the transaction may already be rolled back.
    try {
      database.exec('ROLLBACK');
    } catch {}
    throw error;
  }
};
