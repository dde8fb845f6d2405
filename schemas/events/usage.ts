import { type RecallReceipt, recallReceiptSchema } from './receipt.ts';

/** Events of the topic `usage`: plain, keyed by organization and event. */

/** One answered recall. Turns are billed from `turn.recorded` itself. */
export interface RecallMetered {
  user_id: string;
  tokens_in: number;
  tokens_out: number;
  /** Where one was asked for. */
  receipt?: RecallReceipt | undefined;
}

export const recallMeteredSchema = {
  type: 'object',
  required: ['user_id', 'tokens_in', 'tokens_out'],
  properties: {
    user_id: { type: 'string' },
    tokens_in: { type: 'integer', minimum: 0 },
    tokens_out: { type: 'integer', minimum: 0 },
    receipt: recallReceiptSchema,
  },
} as const;
