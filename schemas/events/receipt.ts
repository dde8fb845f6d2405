/**
 * The part of its answer that a recall keeps (`receipt: true`), in the event that bills it. Turns' ids are
 * HMACs, whose key an erasure destroys, so they are in the clear; ids of observations and entities are
 * digests that would confirm a guess of the words, so they are sealed with the question.
 */
export interface RecallReceipt {
  /**
   * `scopeDigest` of the user, and of the session, that was searched; null: all that the organization, or the
   * user, has.
   */
  owner: string | null;
  session: string | null;
  mode: 'active' | 'deep';
  /** Unix milliseconds: the moment that was asked about. */
  as_of: number | null;
  confidence: number;
  /** See ranker.ts. */
  ranker: string;
  /** Its hits had the parts of long texts alone. */
  passages?: true | undefined;
  /** The hits, best first, then what only the context was made of. */
  hits: ReceiptHit[];
  key_id: string;
  /** `SealedReceipt` as JSON, in base64. */
  sealed: string;
}

export interface ReceiptHit {
  kind: 'turn' | 'observation' | 'entity';
  /** Where the answer had it: among its hits, in its context, or in what the context says that holds. */
  used_in: 'hits' | 'context' | 'facts';
  /** null: a fact that holds has none. */
  score: number | null;
  /** The id of a turn. */
  id?: string | undefined;
  /** Long turns and observations: the part that mattered, in characters of the text. */
  part?: { from: number; to: number } | undefined;
  /** Entities: turns that name it, the best first. */
  turns?: string[] | undefined;
}

/** The members sealed with the key of the searched scope. */
export interface SealedReceipt {
  q: string;
  /** The ids of observations and entities, in the order of the hits. */
  ids: string[];
}

/** How long a receipt can be read. */
export const RECEIPT_DAYS = 90;
/** 30 hits, 30 more that a context quotes, and 20 facts that hold. */
export const MOST_RECEIPT_HITS = 80;
/** Turns of an entity: one that still names it, and one more where that is erased. */
export const MOST_NAMING = 2;

const digest = { type: ['string', 'null'], pattern: '^[0-9a-f]{32}$' } as const;
const turnId = { type: 'string', pattern: '^trn_[0-9a-f]{32}$' } as const;

export const recallReceiptSchema = {
  type: 'object',
  required: ['owner', 'session', 'mode', 'as_of', 'confidence', 'ranker', 'hits', 'key_id', 'sealed'],
  properties: {
    owner: digest,
    session: digest,
    mode: { type: 'string', enum: ['active', 'deep'] },
    as_of: { type: ['integer', 'null'] },
    confidence: { type: 'number' },
    ranker: { type: 'string' },
    passages: { type: 'boolean', const: true },
    hits: {
      type: 'array',
      maxItems: MOST_RECEIPT_HITS,
      items: {
        type: 'object',
        required: ['kind', 'used_in', 'score'],
        properties: {
          kind: { type: 'string', enum: ['turn', 'observation', 'entity'] },
          used_in: { type: 'string', enum: ['hits', 'context', 'facts'] },
          score: { type: ['number', 'null'] },
          id: turnId,
          part: {
            type: 'object',
            required: ['from', 'to'],
            properties: {
              from: { type: 'integer', minimum: 0 },
              to: { type: 'integer', minimum: 1 },
            },
          },
          turns: { type: 'array', maxItems: MOST_NAMING, items: turnId },
        },
      },
    },
    key_id: { type: 'string', minLength: 1 },
    sealed: { type: 'string', minLength: 1 },
  },
} as const;
