/** The messages of the calls `orgs.*` and `keys.recover`. */
import type { Limits, RetentionAnswer } from '../../schemas/http/accounts.ts';
import type { NewKeyAnswer } from '../../schemas/http/api-keys.ts';

export interface Organization {
  org_id: string;
  created_at: string;
  limits: Limits;
  retention: RetentionAnswer;
}

export type RecoveredKey = Pick<NewKeyAnswer, 'id' | 'api_key'>;
