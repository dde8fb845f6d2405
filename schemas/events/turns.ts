/** Events of the topic `turns`: sealed, keyed by organization, user and session. */
import { type FactsByIndex, factsByIndexSchema } from '../facts.ts';

/** Recorded once per write request: the turns that it sent and its options. */
export interface WriteAccepted {
  user_id: string;
  session_id: string;
  job_id: string;
  /** All turns of the request in its order, including those that were already recorded. */
  turn_ids: string[];
  options: { write_active: boolean; write_passive: boolean };
  metadata: Record<string, unknown> | null;
}

/** The most corrections of corrections: so long is a chain of them at most. */
export const MOST_CORRECTIONS = 100;

/** A statement about a person without a turn: the event has its one observation, and no words of a turn. */
export interface Stated {
  /** The caller gave no timestamp: the event's is when it was received. */
  undated?: true;
  corrects?: {
    /** The observation that it corrects. */
    observation_id: string;
    /**
     * Ids of observations and turns: it is hidden with any of them. The observation that it corrects, the
     * turn of that, and what that follows itself.
     */
    follows: string[];
    /** The attribute of whom that one spoke of. */
    subject?: string;
    attribute?: string;
  };
}

/**
 * The members that only some turns have. To add one, add its schema to `extraProperties`: what copies a turn
 * on its way to the log, to the tail or into another installation copies these (`extrasOf`).
 */
export interface TurnExtras {
  /** The observations' facts, by index. */
  facts?: FactsByIndex | undefined;
  /** There is no turn: `text` is empty, and only the observation is meant. */
  stated?: Stated | undefined;
  /** The speaker's offset from UTC at `timestamp`, minutes to the east, where the client named it. */
  utc_offset?: number | undefined;
}

export interface TurnRecorded extends TurnExtras {
  user_id: string;
  session_id: string;
  job_id: string;
  role: string;
  text: string;
  /** When it was said: RFC 3339, UTC, milliseconds. */
  timestamp: string;
  /** Whether it is stored as a turn fragment; otherwise only its identity is kept. */
  active: boolean;
  /** Whether it will be enriched. */
  passive: boolean;
  /** Observations that the client sent with this turn. */
  observations: string[];
  /** The metadata of its write, if any, where one record has both. */
  metadata?: Record<string, unknown> | undefined;
}

/**
 * The body of `turns.recorded`: what one write stored, or a part of it. Its events are `write.accepted`,
 * which every part repeats, and a `turn.recorded` for each turn.
 */
export interface TurnsRecorded {
  user_id: string;
  session_id: string;
  options: WriteAccepted['options'];
  metadata: WriteAccepted['metadata'];
  /** `turn_ids` of the write; undefined when they are those of this record's turns. */
  turn_ids?: string[];
  /**
   * Without what `TurnsRecorded` has for all: `active` and `passive` are there when they aren't the write's
   * options.
   */
  turns: (Pick<TurnRecorded, 'role' | 'text' | 'timestamp'> &
    TurnExtras & {
      [Name in 'active' | 'passive' | 'observations']?: TurnRecorded[Name] | undefined;
    })[];
}

const string = { type: 'string' } as const;
const turnId = { type: 'string', pattern: '^trn_[0-9a-f]{32}$' } as const;
const jobId = { type: 'string', pattern: '^job_[0-9a-f]{32}$' } as const;
const instant = {
  type: 'string',
  pattern: '^-?\\d{4,6}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
} as const;
const boolean = { type: 'boolean' } as const;

export const writeAcceptedSchema = {
  type: 'object',
  required: ['user_id', 'session_id', 'job_id', 'turn_ids', 'options', 'metadata'],
  properties: {
    user_id: string,
    session_id: string,
    job_id: jobId,
    turn_ids: { type: 'array', items: turnId },
    options: {
      type: 'object',
      required: ['write_active', 'write_passive'],
      properties: { write_active: boolean, write_passive: boolean },
    },
    metadata: { type: ['object', 'null'] },
  },
} as const;

const turnProperties = {
  user_id: string,
  session_id: string,
  job_id: jobId,
  role: string,
  text: string,
  timestamp: instant,
  active: boolean,
  passive: boolean,
  observations: { type: 'array', items: string },
} as const;
export const utcOffsetSchema = { type: 'integer', minimum: -1439, maximum: 1439 } as const;
/** The schemas of `TurnExtras`, in the order in which they are written. */
const extraProperties = {
  facts: factsByIndexSchema,
  stated: {
    type: 'object',
    properties: {
      undated: { const: true },
      corrects: {
        type: 'object',
        required: ['observation_id', 'follows'],
        properties: {
          observation_id: { type: 'string', pattern: '^obs_[0-9a-f]{32}$' },
          follows: {
            type: 'array',
            minItems: 1,
            // As many observations, and the turn of the first.
            maxItems: MOST_CORRECTIONS + 1,
            items: { type: 'string', pattern: '^(?:trn|obs)_[0-9a-f]{32}$' },
          },
          subject: string,
          attribute: string,
        },
      },
    },
  },
  utc_offset: utcOffsetSchema,
} as const satisfies Record<keyof TurnExtras, object>;
/** Not required, of an event; a record has it once, for all of its turns. */
export const metadataProperty = { metadata: { type: 'object' } } as const;

/**
 * The tokens (o200k_base) are in the clear, so that a turn can be billed after its text is erased: those of
 * `text` and of `observations` and, in the first turn that a write stored, those of its metadata as compact
 * JSON.
 */
export const turnRecordedSchema = {
  type: 'object',
  required: Object.keys(turnProperties),
  properties: { ...turnProperties, ...extraProperties, ...metadataProperty },
};

export const turnsRecordedSchema = {
  type: 'object',
  required: ['user_id', 'session_id', 'options', 'metadata', 'turns'],
  properties: {
    user_id: string,
    session_id: string,
    options: writeAcceptedSchema.properties.options,
    metadata: writeAcceptedSchema.properties.metadata,
    turn_ids: writeAcceptedSchema.properties.turn_ids,
    turns: {
      type: 'array',
      items: {
        type: 'object',
        required: ['role', 'text', 'timestamp'],
        properties: { ...turnProperties, ...extraProperties },
      },
    },
  },
} as const;

const EXTRAS = Object.keys(extraProperties) as (keyof TurnExtras)[];

/** Returns the extras of a turn that are set. */
export const extrasOf = (turn: TurnExtras): TurnExtras => {
  const extras: Record<string, unknown> = {};
  for (const name of EXTRAS) if (turn[name] !== undefined) extras[name] = turn[name];
  return extras;
};

const orOption = (own: boolean, option: boolean): boolean | undefined => (own === option ? undefined : own);

/** The inverse of `turnsRecordedEvents`. `ids`: those of the turns. */
export const turnsRecordedBody = (
  { user_id, session_id, options, metadata, turn_ids }: WriteAccepted,
  ids: readonly string[],
  turns: readonly TurnRecorded[],
): TurnsRecorded => ({
  user_id,
  session_id,
  options,
  metadata,
  ...(turn_ids.length === ids.length && turn_ids.every((id, i) => id === ids[i]) ? {} : { turn_ids }),
  turns: turns.map(({ role, text, timestamp, active, passive, observations, ...turn }) => ({
    role,
    text,
    timestamp,
    active: orOption(active, options.write_active),
    passive: orOption(passive, options.write_passive),
    observations: observations.length > 0 ? observations : undefined,
    ...extrasOf(turn),
  })),
});

/** The data of each event of a record, in their order. `ids`: those of the events. */
export const turnsRecordedEvents = (
  { user_id, session_id, options, metadata, turn_ids, turns }: TurnsRecorded,
  [job, ...ids]: readonly string[],
): (WriteAccepted | TurnRecorded)[] => [
  { user_id, session_id, job_id: job!, turn_ids: turn_ids ?? ids, options, metadata },
  ...turns.map(
    ({ role, text, timestamp, active, passive, observations, ...turn }): TurnRecorded => ({
      user_id,
      session_id,
      job_id: job!,
      role,
      text,
      timestamp,
      active: active ?? options.write_active,
      passive: passive ?? options.write_passive,
      observations: observations ?? [],
      ...extrasOf(turn),
      ...(metadata && { metadata }),
    }),
  ),
];
