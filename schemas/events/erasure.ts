/**
 * `memory.erased`, in the topics `turns` and `observations`: plain, without a word or a name. One is appended to every
 * partition that can hold the scope's events, and means: what stands before it there is gone.
 */
export interface MemoryErased {
  /** Of the erasure, which is in several partitions; also the receipt's. */
  erasure_id: string;
  /** `scopeDigest` of organization and user. */
  owner: string;
  /** `scopeDigest` of organization, user and session; null: all of the user's sessions. */
  session: string | null;
  /** Sealing keys to be destroyed before the next record is read. */
  key_ids: string[];
  /** What the read models showed of the scope when it began. */
  counts: ErasureCounts;
  /** What turns of this partition were billed whose own envelope does not tell (version 1 of `turn.recorded`). */
  billed: { id: string; day: string; tokens: number }[];
}

export interface ErasureCounts {
  turns: number;
  observations: number;
  /** Entities that the scope's turns named. */
  entities: number;
  sessions: number;
}

const digest = { type: 'string', pattern: '^[0-9a-f]{32}$' } as const;
const count = { type: 'integer', minimum: 0 } as const;

export const memoryErasedSchema = {
  type: 'object',
  required: ['erasure_id', 'owner', 'session', 'key_ids', 'counts', 'billed'],
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
    billed: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'day', 'tokens'],
        properties: {
          id: { type: 'string', pattern: '^trn_[0-9a-f]{32}$' },
          day: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
          tokens: count,
        },
      },
    },
  },
} as const;
