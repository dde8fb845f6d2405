import { type ExpiryCounts, slotsOf } from '../../../core/ports/projection/expiry-counts.ts';
import { inTransaction } from '../in-transaction.ts';
import { openPrivateDatabase } from '../private-database.ts';

const TABLE = `CREATE TABLE IF NOT EXISTS expiries (org TEXT NOT NULL, slot INTEGER NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY (org, slot)) WITHOUT ROWID`;

/**
 * Counts in the file of the budgets (budgets-file.ts), which several threads may open: a file that is lost
 * begins another day.
 */
export const openExpiriesFile = (path: string): ExpiryCounts & { close(): void } => {
  const database = openPrivateDatabase(path, { timeout: 5_000 });
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; ${TABLE}`);
  const forget = database.prepare('DELETE FROM expiries WHERE org = ? AND slot < ?');
  const sum = database.prepare('SELECT total(count) AS sum FROM expiries WHERE org = ? AND slot >= ?');
  const add = database.prepare(
    'INSERT INTO expiries VALUES (?, ?, 1) ON CONFLICT (org, slot) DO UPDATE SET count = count + 1',
  );
  const taken = (org: string, since: number): number => Number(sum.get(org, since)!.sum);
  return {
    taken: async (org, at) => taken(org, slotsOf(at).since),
    take: async (org, most, at) =>
      inTransaction(database, () => {
        const { slot, since } = slotsOf(at);
        if (taken(org, since) >= most) return false;
        forget.run(org, since);
        add.run(org, slot);
        return true;
      }),
    close: () => database.close(),
  };
};
