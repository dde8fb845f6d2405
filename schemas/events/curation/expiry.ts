/**
 * `memory.expired`, in the topics `turns` and `observations`: plain, without any text or names. All that a
 * session had said before has expired, so its keys are destroyed. One is appended to each of the session's
 * two partitions. Where it can't list all turns, others precede it, which only list turns: without keys,
 * before offset 0.
 */
export interface MemoryExpired {
  /** `scopeDigest` of organization and user. */
  owner: string;
  /** `scopeDigest` of organization, user and session. */
  session: string;
  /** Keys that a reader destroys before it reads the next record. */
  key_ids: string[];
  /**
   * The offset in this partition below which all of the session's events had expired. Later ones were sealed
   * by its next key, or were looked at before this was decided.
   */
  before: number;
  /**
   * Turns that stay known by their ids, where nothing else says so: they are stored and billed no second
   * time.
   */
  turn_ids: string[];
}

const digest = { type: 'string', pattern: '^[0-9a-f]{32}$' } as const;

export const memoryExpiredSchema = {
  type: 'object',
  required: ['owner', 'session', 'key_ids', 'before', 'turn_ids'],
  properties: {
    owner: digest,
    session: digest,
    key_ids: { type: 'array', items: { type: 'string', minLength: 1 } },
    before: { type: 'integer', minimum: 0 },
    turn_ids: { type: 'array', items: { type: 'string', pattern: '^trn_[0-9a-f]{32}$' } },
  },
} as const;
