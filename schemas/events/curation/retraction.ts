/**
 * `memory.retracted`, in the topic `turns`: hides a turn with all that was observed of it, or one
 * observation, for good. Sealed like the words, since it names user and session. Its id is `ret_` and the id
 * of what it hides, in the clear, so that a copy is the same event, and a reader of the log knows what is
 * hidden without opening it.
 */
export interface MemoryRetracted {
  user_id: string;
  session_id: string;
  /** The turn, or the one that the observation belongs to. */
  turn_id: string;
  /** null: the turn itself. */
  observation_id: string | null;
}

const string = { type: 'string' } as const;

export const memoryRetractedSchema = {
  type: 'object',
  required: ['user_id', 'session_id', 'turn_id', 'observation_id'],
  properties: {
    user_id: string,
    session_id: string,
    turn_id: { type: 'string', pattern: '^trn_[0-9a-f]{32}$' },
    observation_id: { type: ['string', 'null'], pattern: '^obs_[0-9a-f]{32}$' },
  },
} as const;

const PREFIX = 'ret_';

/** @param hidden the id of a turn or of an observation */
export const retractionId = (hidden: string): string => PREFIX + hidden;

/** Returns the id that the event hides; undefined unless it is a retraction. */
export const hiddenBy = (eventId: string): string | undefined =>
  eventId.startsWith(PREFIX) ? eventId.slice(PREFIX.length) : undefined;
