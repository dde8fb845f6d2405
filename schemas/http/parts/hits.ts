/** Turns, observations and entities as recall returns them, and the first two as the feed sends them. */
import { STANCES } from '../../facts.ts';
import type { FromSchema } from '../../from-schema.ts';
import { ENTITY_ID, RECORDED_AT, said, TEXT, TURN_ID } from './examples.ts';
import { component, count, instant, list, object, reference, string } from './parts.ts';

/** By which days count in the speaker's time. Absent: in UTC. */
export const utcOffset = {
  type: 'integer',
  minimum: -1439,
  maximum: 1439,
  description:
    "The speaker's offset from UTC, minutes to the east, where the timestamp was sent with one: days count in it.",
} as const;

/** Common members of a turn and an observation, in the feed and in recall. */
const common = {
  id: string,
  text: string,
  score: { type: 'number' },
  timestamp: { type: 'string', description: 'Unix seconds.', examples: ['1767225600'] },
  user_id: string,
  session_id: string,
} as const;

const turn = { kind: { type: 'string', enum: ['turn'] } } as const;
const observation = { kind: { type: 'string', enum: ['observation'] } } as const;

/** The source of an observation. */
export const source = {
  type: 'string',
  enum: ['client', 'rules', 'llm'],
  description: 'The client, or the extractor that found it.',
} as const;

/** score = factor / (1 + exp(-(base + the sum of the parts' log_odds))) */
const explanation = component('Explanation', {
  ...object({
    base: { type: 'number', description: 'Log-odds before any feature contributes.' },
    parts: {
      ...list(
        object({
          feature: string,
          aspect: {
            type: 'string',
            enum: ['words', 'meaning', 'conversation', 'speaker', 'time', 'form'],
            description: 'What the feature measures.',
          },
          log_odds: {
            type: 'number',
            description: 'The contribution of the feature, positive or negative.',
          },
        }),
      ),
      description: 'Largest contribution first.',
    },
    factor: {
      type: 'number',
      description:
        'Not 1 for a hit that has another place than its own words give it: an observation instead of its turn, or one behind the turns.',
    },
  }),
  description: 'score = factor / (1 + exp(-(base + the sum of the log_odds))).',
});

const subject = object({ id: { type: 'string', description: "The entity's." }, label: string });
const supersededBy = {
  type: 'string',
  description: 'The observation that says what holds instead, or that it has ended.',
} as const;

/** An observation's statement about one attribute of one subject, if it has one. */
export const saidFact = {
  subject,
  attribute: { type: 'string', examples: ['home'] },
  about: { type: 'string', description: 'The object that the attribute is of: a budget about a laptop.' },
  value: { type: 'string', examples: ['Porto'] },
  valid_from: {
    type: ['string', 'null'],
    format: 'date-time',
    description: 'From when it holds; null where nothing is said of it.',
  },
  valid_until: { ...instant, description: 'Until when it holds, where that is known.' },
  ended: { type: 'boolean', description: 'It says that something no longer holds.' },
  stance: {
    type: 'string',
    enum: STANCES,
    description: 'How it was said: as holding, as news, as a plan, or as over.',
  },
  certainty: { type: 'number', description: 'From 0 to 1; what is less certain than 0.8 ends nothing.' },
} as const;
export const disputedBy = {
  ...list(string),
  description: 'Observations that say otherwise, where nobody knows which of them holds.',
} as const;
const heldFact = { ...saidFact, superseded_by: supersededBy, disputed_by: disputedBy } as const;

/** Members of a hit besides its rendered text. They cost no tokens. */
const bare = {
  content: {
    type: 'string',
    description: 'The words alone; those of the part, with passages.',
    examples: ['I moved to Lyon.'],
  },
  said_at: { ...instant, description: 'When it was said.' },
} as const;

/** The span that matters in a long turn or observation. */
export const textPart = component('TextPart', {
  ...object({ from: count, to: count }),
  description:
    'Of a text of more than about 80 words: the part that matters for the question, from the character at from up to the one at to, which is not in it. They are counted over all words of the turn or observation; a character is a Unicode code point. With passages, content is this part; without, content has all words.',
});

/** An observation within the hit of its turn. */
const nestedObservation = component(
  'NestedObservation',
  object({ id: string, text: string, source }, heldFact),
);
export const turnHit = component(
  'TurnHit',
  object(
    {
      ...common,
      ...turn,
      text: { type: 'string', examples: ['[2026-01-01] [user] I moved to Lyon.'] },
      ...bare,
      role: string,
    },
    {
      utc_offset: utcOffset,
      explanation: reference(explanation),
      part: reference(textPart),
      superseded_by: supersededBy,
      observations: {
        ...list(reference(nestedObservation)),
        description:
          'What was understood of this turn: its observations that state an attribute or resolve a date, the one that answers the question first. They take no places among the hits.',
      },
      later: {
        type: 'string',
        description:
          'The turn among the hits that says another value now, if the ranking decided so and no fact. It orders and labels, and leaves nothing out of a context.',
      },
    },
  ),
);
export const observationHit = component(
  'ObservationHit',
  object(
    { ...common, ...bare, ...observation, source_turn_ids: list(string), source },
    { utc_offset: utcOffset, explanation: reference(explanation), part: reference(textPart), ...heldFact },
  ),
);
export const entityHit = component(
  'EntityHit',
  object({
    id: string,
    kind: { type: 'string', enum: ['entity'] },
    label: string,
    score: { type: 'number' },
  }),
);

/** The feed has no question, and therefore no score. */
const { score: _, ...unscored } = common;
const fed = { ...unscored, recorded_at: instant } as const;

export const turnEvent = component(
  'TurnEvent',
  object({ ...fed, ...turn, role: string }, { utc_offset: utcOffset }),
);
export const observationEvent = component(
  'ObservationEvent',
  object({ ...fed, ...observation, source_turn_ids: list(string), source }, { utc_offset: utcOffset }),
);

export type HitExplanation = FromSchema<typeof explanation.schema>;
export type NestedObservationHit = FromSchema<typeof nestedObservation.schema>;
export type TurnHit = FromSchema<typeof turnHit.schema>;
export type ObservationHit = FromSchema<typeof observationHit.schema>;
export type FragmentHit = TurnHit | ObservationHit;
export type EntityHit = FromSchema<typeof entityHit.schema>;
export type FeedData = FromSchema<typeof turnEvent.schema> | FromSchema<typeof observationEvent.schema>;

const seconds = String(Date.parse(said.timestamp) / 1_000);

export const turnHitExample: TurnHit = {
  id: TURN_ID,
  score: 0.61,
  kind: 'turn',
  timestamp: seconds,
  user_id: said.user_id,
  session_id: said.session_id,
  text: `[2026-01-05] [user] ${TEXT}`,
  content: TEXT,
  said_at: said.timestamp,
  role: 'user',
};
export const entityHitExample: EntityHit = { id: ENTITY_ID, label: 'Lyon', score: 0.12, kind: 'entity' };
export const turnEventExample: FeedData = {
  id: TURN_ID,
  text: TEXT,
  kind: 'turn',
  timestamp: seconds,
  user_id: said.user_id,
  session_id: said.session_id,
  role: 'user',
  recorded_at: RECORDED_AT,
};
