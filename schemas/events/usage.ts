import { type RecallReceipt, recallReceiptSchema } from './receipt.ts';

/** Events of the topic `usage`: plain, keyed by organization and event. */

/** One answered recall. Turns are billed from `turn.recorded` itself. */
export interface RecallMetered {
  user_id: string;
  tokens_in: number;
  tokens_out: number;
  /** `scopeDigest` of the one user that was searched; missing: of several. */
  searched?: string | undefined;
  /** Milliseconds from its admission until the answer was made. */
  took_ms?: number | undefined;
  /** Of the answer, to three digits. */
  confidence?: number | undefined;
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
    searched: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    took_ms: { type: 'integer', minimum: 0 },
    confidence: { type: 'number', minimum: 0, maximum: 1 },
    receipt: recallReceiptSchema,
  },
} as const;
