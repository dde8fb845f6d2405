import { type RecallReceipt, recallReceiptSchema } from './receipt.ts';

/** Events of the topic `usage`: plain, keyed by organization and event. */

/** One answered recall. Turns are billed from `turn.recorded` itself. */
export interface RecallMetered {
  /** The user whose key asked. */
  user_id: string;
  /** The id of the API key that asked; absent after an import. */
  api_key?: string | undefined;
  tokens_in: number;
  tokens_out: number;
  /**
   * `scopeDigest` of the one user that was searched, to whom the recall is counted; missing: it searched
   * several, and is counted to who asked. Not by name: an erased user's must not stay in the log.
   */
  searched?: string | undefined;
  /** Milliseconds from its admission until the answer was made. */
  took_ms?: number | undefined;
  /** The answer's, to three digits. */
  confidence?: number | undefined;
  /** Where one was asked for. */
  receipt?: RecallReceipt | undefined;
}

export const recallMeteredSchema = {
  type: 'object',
  required: ['user_id', 'tokens_in', 'tokens_out'],
  properties: {
    user_id: { type: 'string' },
    api_key: { type: 'string', minLength: 1 },
    tokens_in: { type: 'integer', minimum: 0 },
    tokens_out: { type: 'integer', minimum: 0 },
    searched: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    took_ms: { type: 'integer', minimum: 0 },
    confidence: { type: 'number', minimum: 0, maximum: 1 },
    receipt: recallReceiptSchema,
  },
} as const;
