/** Verdicts on the hits of recalls. */
export const VERDICTS = ['helpful', 'wrong'] as const;
export type Verdict = (typeof VERDICTS)[number];

/**
 * `recall.judged`, in the topic `turns`, under the key of the hit's own session: it goes with what it is
 * about. The last one of a hit counts. Ids are random: the same may be said again after another one.
 */
export interface RecallJudged {
  user_id: string;
  session_id: string;
  /** The id of the event that billed the recall. */
  recall_id: string;
  /** The turn or the observation. */
  hit_id: string;
  /** The turn that an observation belongs to, by which it is hidden; null: none, or the hit itself. */
  turn_id: string | null;
  verdict: Verdict;
}

const string = { type: 'string' } as const;

export const recallJudgedSchema = {
  type: 'object',
  required: ['user_id', 'session_id', 'recall_id', 'hit_id', 'turn_id', 'verdict'],
  properties: {
    user_id: string,
    session_id: string,
    recall_id: { type: 'string', pattern: '^rcl_' },
    hit_id: { type: 'string', pattern: '^(?:trn|obs)_[0-9a-f]{32}$' },
    turn_id: { type: ['string', 'null'], pattern: '^trn_[0-9a-f]{32}$' },
    verdict: { enum: VERDICTS },
  },
} as const;
