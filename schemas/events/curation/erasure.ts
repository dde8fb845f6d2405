/**
 * `memory.erased`, in the topics `turns` and `observations`: plain, without any text or names. One is
 * appended to every partition that may contain the scope's events, and erases those events that precede it in
 * that partition.
 */
export interface MemoryErased {
  /** The same in all partitions of one erasure, and in its receipt. */
  erasure_id: string;
  /** `scopeDigest` of organization and user. */
  owner: string;
  /** `scopeDigest` of organization, user and session; null: all sessions of the user. */
  session: string | null;
  /**
   * Keys that a reader destroys before it reads the next record: a session's, or the user's own, and with it
   * those that it wraps.
   */
  key_ids: string[];
  /** The read models' content for the scope when the erasure began. */
  counts: ErasureCounts;
}

export interface ErasureCounts {
  turns: number;
  observations: number;
  /** Entities mentioned in the scope's turns. */
  entities: number;
  sessions: number;
}

const digest = { type: 'string', pattern: '^[0-9a-f]{32}$' } as const;
const count = { type: 'integer', minimum: 0 } as const;

export const memoryErasedSchema = {
  type: 'object',
  required: ['erasure_id', 'owner', 'session', 'key_ids', 'counts'],
  properties: {
    erasure_id: { type: 'string', pattern: '^ers_[0-9a-f]{32}$' },
    owner: digest,
    session: { ...digest, type: ['string', 'null'] },
    key_ids: { type: 'array', items: { type: 'string', minLength: 1 } },
    counts: {
      type: 'object',
      required: ['turns', 'observations', 'entities', 'sessions'],
      properties: { turns: count, observations: count, entities: count, sessions: count },
    },
  },
} as const;
