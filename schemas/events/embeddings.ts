/** Vectors that an embedding model made of turns: events of the topic `observations`, sealed as words are. */

/** A model's vectors of one turn; the first copy of (turn, model) wins. */
export interface TurnEmbedded {
  user_id: string;
  session_id: string;
  turn_id: string;
  /** As the endpoint knows it. */
  model: string;
  /** Components of a vector. */
  dimensions: number;
  /**
   * Base64 of one signed byte a component, one vector after the other: of the turn in its context, then of
   * each of its parts (recall/vectors.ts). Only directions are meaningful.
   */
  vectors: string;
}

/** The body of a frame: the vectors of the turns of a record of `turns`, each of which is an event. */
export interface TurnsEmbedded extends Pick<TurnEmbedded, 'user_id' | 'session_id' | 'model' | 'dimensions'> {
  turns: Pick<TurnEmbedded, 'turn_id' | 'vectors'>[];
}

const string = { type: 'string' } as const;
const ofTurn = {
  turn_id: { type: 'string', pattern: '^trn_[0-9a-f]{32}$' },
  vectors: { type: 'string', pattern: '^[A-Za-z0-9+/]+={0,2}$' },
} as const;
const common = {
  user_id: string,
  session_id: string,
  model: { type: 'string', minLength: 1 },
  dimensions: { type: 'integer', minimum: 1 },
} as const;
const required = ['user_id', 'session_id', 'model', 'dimensions'] as const;

export const turnEmbeddedSchema = {
  type: 'object',
  required: [...required, 'turn_id', 'vectors'],
  properties: { ...common, ...ofTurn },
} as const;

export const turnsEmbeddedSchema = {
  type: 'object',
  required: [...required, 'turns'],
  properties: {
    ...common,
    turns: {
      type: 'array',
      items: { type: 'object', required: ['turn_id', 'vectors'], properties: ofTurn },
    },
  },
} as const;

/** The data of each event of a record, in their order. */
export const turnsEmbeddedEvents = ({ turns, ...common }: TurnsEmbedded): TurnEmbedded[] =>
  turns.map(turn => ({ ...common, ...turn }));
