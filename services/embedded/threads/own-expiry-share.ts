import type { DatabaseSync } from 'node:sqlite';
import type { SweptSessions } from '../../../core/ports/projection/projection-store.ts';
import { openAccountDocuments } from '../../../infra/embedded/accounts/account-documents.ts';
import { openExpiriesFile } from '../../../infra/embedded/admission/expiries-file.ts';
import { type ExpiryShare, makeExpiryShare } from '../../workers/expiry-share.ts';

/** The share of a day of a generation's organizations. What was taken from it is in the file `budgets`. */
export const openExpiryShare = (
  database: DatabaseSync,
  { sessions }: SweptSessions,
  { budgets, percent }: { budgets: string; percent: number },
): ExpiryShare & { close(): void } => {
  const accounts = openAccountDocuments(database);
  const counts = openExpiriesFile(budgets);
  const organization = async (org: string) => accounts.get('organization', org);
  return { ...makeExpiryShare({ counts, sessions, organization, percent }), close: counts.close };
};
