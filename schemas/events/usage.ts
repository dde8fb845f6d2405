/** Events of the topic `usage`: plain, keyed by organization and event. */

/** One answered recall. Turns are billed from `turn.recorded` itself. */
export interface RecallMetered {
  user_id: string;
  tokens_in: number;
  tokens_out: number;
}

export const recallMeteredSchema = {
  type: 'object',
  required: ['user_id', 'tokens_in', 'tokens_out'],
  properties: {
    user_id: { type: 'string' },
    tokens_in: { type: 'integer', minimum: 0 },
    tokens_out: { type: 'integer', minimum: 0 },
  },
} as const;
