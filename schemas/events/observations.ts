/** Events of the topic `observations`: sealed, keyed by organization, user and session. */

/** An extractor's complete output for one turn; the first copy of (turn, extractor) wins. */
export interface ObservationsExtracted {
  user_id: string;
  session_id: string;
  turn_id: string;
  role: string;
  /** The turn's own timestamp: RFC 3339, UTC, milliseconds. */
  timestamp: string;
  /** The extractor and its version, e.g. `rules-1`. */
  extractor: string;
  source: 'rules' | 'llm';
  observations: { text: string }[];
  entities: { label: string; kind: string }[];
}

/** The extractor gave up on a turn. The turn stays recallable; its job is `failed`. */
export interface ExtractionFailed {
  user_id: string;
  session_id: string;
  turn_id: string;
  extractor: string;
  /** Human-readable; never contains the turn's text. */
  reason: string;
}

const string = { type: 'string' } as const;
const turnId = { type: 'string', pattern: '^trn_[0-9a-f]{32}$' } as const;
const instant = {
  type: 'string',
  pattern: '^-?\\d{4,6}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
} as const;

export const observationsExtractedSchema = {
  type: 'object',
  required: [
    'user_id',
    'session_id',
    'turn_id',
    'role',
    'timestamp',
    'extractor',
    'source',
    'observations',
    'entities',
  ],
  properties: {
    user_id: string,
    session_id: string,
    turn_id: turnId,
    role: string,
    timestamp: instant,
    extractor: string,
    source: { enum: ['rules', 'llm'] },
    observations: {
      type: 'array',
      items: { type: 'object', required: ['text'], properties: { text: string } },
    },
    entities: {
      type: 'array',
      items: { type: 'object', required: ['label', 'kind'], properties: { label: string, kind: string } },
    },
  },
} as const;

export const extractionFailedSchema = {
  type: 'object',
  required: ['user_id', 'session_id', 'turn_id', 'extractor', 'reason'],
  properties: { user_id: string, session_id: string, turn_id: turnId, extractor: string, reason: string },
} as const;
