import { openProjectionsReader } from './projections-database.ts';

/** Rows of each table and sums over them, which two generations at the same positions have in common. */
const SUMS = {
  fragments: `SELECT kind, place, count(*) AS rows, sum(timestamp) AS a, sum(offset) AS b, sum(length(text)) AS c,
    sum(length(document)) AS d FROM fragments GROUP BY kind, place ORDER BY kind, place`,
  enrichments:
    'SELECT outcome, count(*) AS rows, sum(offset) AS a FROM enrichments GROUP BY outcome ORDER BY outcome',
  entities: 'SELECT count(*) AS rows, sum(length(label)) AS a FROM entities',
  mentions: 'SELECT count(*) AS rows, sum(offset) AS a FROM mentions',
  jobs: 'SELECT count(*) AS rows, sum(offset) AS a, sum(length(turns)) AS b FROM jobs',
  usage: `SELECT org, day, 1 AS rows, tokens_in AS a, tokens_out AS b FROM usage_days ORDER BY org, day`,
  recalls: 'SELECT count(*) AS rows FROM usage_rows',
  accounts: `SELECT kind, count(*) AS rows, sum(length(document)) AS a FROM account_documents GROUP BY kind ORDER BY kind`,
  speakers: 'SELECT count(*) AS rows, sum(first) AS a, sum(last) AS b FROM speakers',
};

export interface Comparison {
  rows: number;
  /** Sums that differ. */
  differences: number;
}

/**
 * Takes a picture of both files now; the comparison is made when `compare` is called, over those pictures. Both must
 * be at the same positions meanwhile.
 */
export const openComparison = (one: string, other: string) => {
  const readers = [openProjectionsReader(one), openProjectionsReader(other)] as const;
  for (const reader of readers) {
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM positions').get();
  }
  return {
    compare: (): Comparison => {
      let rows = 0;
      let differences = 0;
      for (const sql of Object.values(SUMS)) {
        const [a, b] = readers.map(reader => reader.prepare(sql).all());
        rows += b!.reduce((sum, row) => sum + Number(row.rows), 0);
        const lines = b!.map(row => JSON.stringify(row));
        const expected = a!.map(row => JSON.stringify(row));
        const [known, found] = [new Set(expected), new Set(lines)];
        differences += Math.max(
          lines.filter(line => !known.has(line)).length,
          expected.filter(line => !found.has(line)).length,
        );
      }
      return { rows, differences };
    },
    close: (): void => {
      for (const reader of readers) reader.close();
    },
  };
};
