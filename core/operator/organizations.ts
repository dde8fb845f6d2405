/** The messages of the calls `orgs.*` and `keys.recover`. */
import type { Limits, RetentionAnswer, ScreeningAnswer } from '../../schemas/http/accounts.ts';
import type { NewKeyAnswer } from '../../schemas/http/api-keys.ts';
import type { Budgets } from '../payers/budgets.ts';

/** An organization's caps of a day, in tokens, and its budgets of what isn't billed. */
export type OwnLimits = Limits & Budgets & OwnExpiries;

export interface OwnExpiries {
  /**
   * The percentage of its sessions that may be destroyed a day because all of them has expired; 0: all.
   * Absent: as configured.
   */
  expiries?: number | undefined;
}

export interface Organization {
  org_id: string;
  created_at: string;
  limits: OwnLimits;
  retention: RetentionAnswer;
  screening: ScreeningAnswer;
}

export type RecoveredKey = Pick<NewKeyAnswer, 'id' | 'api_key'>;
