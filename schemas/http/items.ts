/** The items of lists, and one turn. */
import type { FromSchema } from '../from-schema.ts';
import { guarded, json } from './operation.ts';
import { ENTITY_ID, RECORDED_AT, said, TEXT, TURN_ID } from './parts/examples.ts';
import { disputedBy, saidFact, source, utcOffset } from './parts/hits.ts';
import { matched } from './parts/match.ts';
import { component, count, instant, list, nullableString, object, reference, string } from './parts/parts.ts';
import { RIGHTS } from './rights.ts';

const latest = {
  type: ['string', 'null'],
  format: 'date-time',
  description: "By the turns' own timestamps; null without a stored turn.",
} as const;

export const userItem = component(
  'UserItem',
  object({ user_id: string, sessions: count, turns: count, last_at: latest }, matched),
);
const strings = (description: string) => ({ type: 'array', items: string, description }) as const;
export const userDetails = component(
  'UserDetails',
  object({
    user_id: string,
    sessions: count,
    turns: count,
    last_at: latest,
    names: strings("The user's own names, as they were set; the first is shown."),
    suggested_names: strings(
      'Names that the user gave ("my name is Ada") and that are not set: nothing is renamed.',
    ),
  }),
);
export const sessionItem = component(
  'SessionItem',
  object(
    {
      user_id: string,
      session_id: string,
      title: {
        ...nullableString,
        description: 'As it was titled (PATCH /memory/sessions/{id}); null without a title.',
      },
      turns: count,
      first_at: latest,
      last_at: latest,
    },
    matched,
  ),
);

const turn = {
  id: string,
  user_id: string,
  session_id: string,
  role: string,
  text: { type: 'string', description: 'As it was said.' },
  timestamp: instant,
} as const;
export const turnItem = component('TurnItem', object(turn, { utc_offset: utcOffset, ...matched }));

export const observationItem = component(
  'ObservationItem',
  object(
    {
      id: string,
      user_id: string,
      session_id: string,
      turn_id: {
        ...nullableString,
        description:
          'The turn that it comes from; null for one that was said without a turn. A turn written with write_active false is not stored itself.',
      },
      source,
      text: string,
      timestamp: { ...instant, description: "The turn's timestamp." },
    },
    {
      utc_offset: utcOffset,
      ...saidFact,
      corrects: { type: 'string', description: 'The observation that it corrects.' },
      superseded_by: { type: 'string', description: 'The observation that corrects it.' },
      ...matched,
    },
  ),
);

export const factItem = component(
  'FactItem',
  object(
    {
      id: { type: 'string', description: 'The observation that said it last.' },
      user_id: string,
      session_id: { type: 'string', description: 'The session in which it was said last.' },
      subject: saidFact.subject,
      attribute: saidFact.attribute,
      about: { ...nullableString, description: 'The object that the attribute is of; null without one.' },
      value: saidFact.value,
      value_id: {
        type: 'string',
        description:
          'The id of the entity that the value names, if it names one: a fact is then a relation between two. GET /memory/entities lists what turns name.',
      },
      text: { type: 'string', description: 'The observation.' },
      valid_from: saidFact.valid_from,
      valid_until: { type: ['string', 'null'], format: 'date-time', description: 'null while it holds.' },
      stance: saidFact.stance,
      certainty: saidFact.certainty,
      superseded_by: {
        ...nullableString,
        description: 'The observation that said another value, or that it has ended.',
      },
      disputed_by: disputedBy,
      source_turn_ids: { ...list(string), description: 'Every turn that says it, the latest first.' },
      source,
      recorded_at: {
        type: ['string', 'null'],
        format: 'date-time',
        description: 'When the service recorded it; null for the moment until it is projected.',
      },
    },
    matched,
  ),
);

const entity = {
  id: string,
  user_id: string,
  label: string,
  kind: { type: 'string', examples: ['person'] },
} as const;
const entityAlias = component(
  'EntityAlias',
  object({
    id: { type: 'string', description: 'The entity of this name: turns that use it mention that one.' },
    label: string,
    turns: { ...count, description: 'The number of turns in the scope that use this name.' },
    rule: {
      type: 'string',
      enum: ['honorific', 'initial', 'first_name', 'short_form', 'typo', 'relation', 'correction'],
      description:
        'Why it is taken for the same person: Dr. Anna Meier, Anna M, Anna, Annie, Anan or my sister Anna; or because somebody said so.',
    },
    matched: { type: 'string', description: 'The name that the rule matched; that one may be an alias too.' },
  }),
);
export const entityItem = component(
  'EntityItem',
  object(
    {
      ...entity,
      turns: {
        ...count,
        description: 'The number of turns in the scope that mention it, by any of its names.',
      },
      aliases: {
        ...list(reference(entityAlias)),
        description:
          'Other names of this person in the scope, where exactly one person fits. In the list of one user only, and not with turn_id.',
      },
    },
    matched,
  ),
);
const turnEntity = component('TurnEntity', object(entity));

const turnDetails = component(
  'TurnDetails',
  object(
    {
      ...turn,
      observations: { ...list(reference(observationItem)), description: 'Observations made of this turn.' },
      entities: {
        ...list(reference(turnEntity)),
        description: 'Entities that it mentions. GET /memory/entities counts the turns that mention each.',
      },
      recorded_at: {
        ...instant,
        type: ['string', 'null'],
        description: 'When the service recorded it; null for the moment until it is projected.',
      },
      expires_at: {
        ...instant,
        type: ['string', 'null'],
        description: 'When it expires by itself; null: a retention of the organization decides.',
      },
    },
    { utc_offset: utcOffset },
  ),
);

export type UserItem = FromSchema<typeof userItem.schema>;
export type UserDetails = FromSchema<typeof userDetails.schema>;
export type SessionItem = FromSchema<typeof sessionItem.schema>;
export type TurnItem = FromSchema<typeof turnItem.schema>;
export type ObservationItem = FromSchema<typeof observationItem.schema>;
export type FactItem = FromSchema<typeof factItem.schema>;
export type EntityItem = FromSchema<typeof entityItem.schema>;
export type TurnEntity = FromSchema<typeof turnEntity.schema>;
export type TurnDetails = FromSchema<typeof turnDetails.schema>;

export const turnExample: TurnItem = { id: TURN_ID, ...said, role: 'user', text: TEXT };
export const observationExample: ObservationItem = {
  id: 'obs_01c1867a219d190b83849f09f87766fe',
  ...said,
  turn_id: TURN_ID,
  source: 'rules',
  text: 'The user moved to Lyon in the week of 29 December 2025.',
};
export const factExample: FactItem = {
  id: 'obs_01c1867a219d190b83849f09f87766fe',
  user_id: said.user_id,
  session_id: said.session_id,
  subject: { id: 'ent_6b1c1f2bb4b1f9c5d7a3e0f1', label: 'The user' },
  attribute: 'home',
  about: null,
  value: 'Lyon',
  value_id: ENTITY_ID,
  text: 'The user moved to Lyon.',
  valid_from: null,
  valid_until: null,
  stance: 'changed',
  certainty: 1,
  superseded_by: null,
  disputed_by: [],
  source_turn_ids: [TURN_ID],
  source: 'rules',
  recorded_at: RECORDED_AT,
};
export const entityExample: TurnEntity = { id: ENTITY_ID, user_id: 'ada', label: 'Lyon', kind: 'place' };

export const turnOperations = {
  readTurn: guarded({
    method: 'get',
    path: '/memory/turns/{id}',
    summary: 'Get a turn',
    description:
      'One turn with its observations, the entities it mentions, and its position in the log. The id comes from active_fragment_ids or from a hit.',
    tag: 'Memory',
    ...RIGHTS.readTurn,
    answer: json(200, 'The turn.', turnDetails, {
      ...turnExample,
      observations: [observationExample],
      entities: [entityExample],
      recorded_at: RECORDED_AT,
      expires_at: null,
    }),
    statuses: [404, 503],
  }),
};
