import { openProjectionsReader } from './projections-database.ts';

/** Returns the number of organizations in a projections' file. */
export const countOrganizations = (path: string): number => {
  const reader = openProjectionsReader(path);
  try {
    const row = reader
      .prepare(
        `SELECT count(*) AS organizations FROM account_documents
         WHERE kind = 'organization' AND document -> 'pruned_at' IS NULL`,
      )
      .get();
    return Number(row?.organizations);
  } finally {
    reader.close();
  }
};
