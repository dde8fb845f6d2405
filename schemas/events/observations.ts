/** Events of the topic `observations`: sealed, keyed by organization, user and session. */
import {
  type FactsByIndex,
  factsByIndexSchema,
  factsOf,
  observationsOf,
  type SaidObservation,
  saidFactSchema,
  textsOf,
} from '../facts.ts';
import { metadataProperty, utcOffsetSchema } from './turns.ts';

/** An extractor's complete output for one turn; the first copy of (turn, extractor) wins. */
export interface ObservationsExtracted {
  user_id: string;
  session_id: string;
  turn_id: string;
  role: string;
  /** The turn's own timestamp: RFC 3339, UTC, milliseconds. */
  timestamp: string;
  /** The turn's own, if it has one. */
  utc_offset?: number | undefined;
  /** The extractor and its version, e.g. `rules-1`. */
  extractor: string;
  source: 'rules' | 'llm';
  observations: SaidObservation[];
  entities: { label: string; kind: string }[];
  /** The metadata of the turn's write, if any. */
  metadata?: Record<string, unknown> | undefined;
}

/**
 * The body of a frame: the extractor's output for the turns of a record of `turns`, each of which is an
 * event.
 */
export interface ObservationsOfTurns {
  user_id: string;
  session_id: string;
  extractor: string;
  source: ObservationsExtracted['source'];
  metadata?: ObservationsExtracted['metadata'];
  turns: {
    turn_id: string;
    role: string;
    timestamp: string;
    utc_offset?: number | undefined;
    observations: string[];
    /** The observations' facts, by index. */
    facts?: FactsByIndex | undefined;
    entities: [label: string, kind: string][];
  }[];
}

/** The extractor gave up on a turn. The turn stays recallable; its job is `failed`. */
export interface ExtractionFailed {
  user_id: string;
  session_id: string;
  turn_id: string;
  extractor: string;
  /** Human-readable; never contains the turn's text. */
  reason: string;
  metadata?: ObservationsExtracted['metadata'];
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
    utc_offset: utcOffsetSchema,
    extractor: string,
    source: { enum: ['rules', 'llm'] },
    observations: {
      type: 'array',
      items: { type: 'object', required: ['text'], properties: { text: string, fact: saidFactSchema } },
    },
    entities: {
      type: 'array',
      items: { type: 'object', required: ['label', 'kind'], properties: { label: string, kind: string } },
    },
    ...metadataProperty,
  },
} as const;

export const observationsOfTurnsSchema = {
  type: 'object',
  required: ['user_id', 'session_id', 'extractor', 'source', 'turns'],
  properties: {
    user_id: string,
    session_id: string,
    extractor: string,
    source: observationsExtractedSchema.properties.source,
    ...metadataProperty,
    turns: {
      type: 'array',
      items: {
        type: 'object',
        required: ['turn_id', 'role', 'timestamp', 'observations', 'entities'],
        properties: {
          turn_id: turnId,
          role: string,
          timestamp: instant,
          utc_offset: utcOffsetSchema,
          observations: { type: 'array', items: string },
          facts: factsByIndexSchema,
          entities: { type: 'array', items: { type: 'array', minItems: 2, maxItems: 2, items: string } },
        },
      },
    },
  },
} as const;

/** The inverse of `observationsOfTurnsEvents`, for turns of one session, one extractor and this metadata. */
export const observationsOfTurnsBody = (
  events: readonly [ObservationsExtracted, ...ObservationsExtracted[]],
  metadata?: ObservationsExtracted['metadata'],
): ObservationsOfTurns => {
  const [{ user_id, session_id, extractor, source }] = events;
  return {
    user_id,
    session_id,
    extractor,
    source,
    ...(metadata && { metadata }),
    turns: events.map(({ turn_id, role, timestamp, utc_offset, observations, entities }) => ({
      turn_id,
      role,
      timestamp,
      utc_offset,
      observations: textsOf(observations),
      facts: factsOf(observations),
      entities: entities.map(({ label, kind }) => [label, kind]),
    })),
  };
};

/** The data of each event of a record, in their order. */
export const observationsOfTurnsEvents = ({
  turns,
  ...common
}: ObservationsOfTurns): ObservationsExtracted[] =>
  turns.map(({ observations, facts, entities, ...turn }) => ({
    ...common,
    ...turn,
    observations: observationsOf(observations, facts),
    entities: entities.map(([label, kind]) => ({ label, kind })),
  }));

export const extractionFailedSchema = {
  type: 'object',
  required: ['user_id', 'session_id', 'turn_id', 'extractor', 'reason'],
  properties: {
    user_id: string,
    session_id: string,
    turn_id: turnId,
    extractor: string,
    reason: string,
    ...metadataProperty,
  },
} as const;
