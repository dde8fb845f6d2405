import type { UsageLedger } from '../../../../core/ports.ts';
import type { ProjectionsReader } from './projections-reader.ts';

/** Rows per read: a month's days are read concurrently, and a read blocks other requests. */
const PAGE = 1_000;

/** Reads the billed events of a day, each page from the projections' file that serves then. */
export const openUsageEvents = (reader: ProjectionsReader): UsageLedger['events'] => {
  const page = reader.prepare(
    `SELECT id, tokens_in AS tokensIn, tokens_out AS tokensOut FROM usage_events
     WHERE org = ? AND day = ? AND id > ? ORDER BY id LIMIT ${PAGE}`,
  );
  return async function* (org, day) {
    for (let after = ''; ; ) {
      const rows = page.all(org, day, after).map(({ id, tokensIn, tokensOut }) => ({
        id: String(id),
        tokensIn: Number(tokensIn),
        tokensOut: Number(tokensOut),
      }));
      if (rows.length > 0) yield rows;
      if (rows.length < PAGE) return;
      after = rows.at(-1)!.id;
    }
  };
};
