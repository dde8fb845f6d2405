/** The messages of the calls `orgs.*` and `keys.recover`. */
import type { Limits, NewKeyAnswer, RetentionAnswer } from '../../schemas/http/accounts.ts';

export interface Organization {
  org_id: string;
  created_at: string;
  limits: Limits;
  retention: RetentionAnswer;
}

export type RecoveredKey = Pick<NewKeyAnswer, 'id' | 'api_key'>;
