/** The lists of what is stored. */

import {
  entityExample,
  entityItem,
  factExample,
  factItem,
  observationExample,
  observationItem,
  sessionItem,
  turnExample,
  turnItem,
  userItem,
} from './items.ts';
import type { AnsweredBy, AskedOf, Operations } from './operation.ts';
import { said, TURN_ID } from './parts/examples.ts';
import { source } from './parts/hits.ts';
import { id, instant, text } from './parts/parts.ts';
import { makeCursor } from './queries/cursor.ts';
import { filterQuery } from './queries/filter.ts';
import { list, listIdOf } from './queries/list-operation.ts';

// ---- cursors

const FRAGMENT = {
  user: 'string',
  session: 'string',
  timestamp: 'number',
  offset: 'eventOffset',
  id: 'string',
} as const;

export const cursors = {
  users: makeCursor('users', { user: 'string' }),
  sessions: makeCursor('sessions', { user: 'string', session: 'string' }),
  turns: { asc: makeCursor('turns asc', FRAGMENT), desc: makeCursor('turns desc', FRAGMENT) },
  observations: makeCursor('observations', FRAGMENT),
  /** Entities of a user, by normalised label. */
  entities: makeCursor('entities', { user: 'string', normalised: 'string' }),
  /** Facts of a user, by key, then by when the fact began and the id of the observation that said it last. */
  facts: makeCursor('facts', { user: 'string', key: 'string', from: 'number', id: 'string' }),
  /** Users and sessions, sorted by their last turn. */
  recentUsers: makeCursor('users last_at', { at: 'number', user: 'string' }),
  recentSessions: makeCursor('sessions last_at', { at: 'number', user: 'string', session: 'string' }),
};

/** @param query its members may have any type; the schema reports a wrong type */
const orderOf = (query: unknown): 'asc' | 'desc' =>
  (query as { order?: unknown }).order === 'desc' ? 'desc' : 'asc';

/** @param query as above */
const isByTime = (query: unknown): boolean => (query as { sort?: unknown }).sort === 'last_at';

// ---- queries

const sort = {
  type: 'string',
  enum: ['id', 'last_at'],
  default: 'id',
  description:
    'By id, or by the last turn, the newest first. By last_at what gets a turn meanwhile moves to the front, where later pages do not come; up to 20,000 can be sorted so, of more it is 422.',
} as const;

const user = { ...id, description: 'Only this user. Default: all users that the token may see.' } as const;
const session = {
  ...id,
  description: "Only this session. Default: the token's session_id claim; without one, all sessions.",
} as const;
const turn = { type: 'string', description: 'Only what belongs to the turn with this id.' } as const;
const window = {
  since: { ...instant, description: 'Earliest timestamp, inclusive; RFC 3339.' },
  until: { ...instant, description: 'Latest timestamp, inclusive; not before since.' },
} as const;

// ---- lists

export const lists = {
  users: list('users', userItem, {
    summary: 'List users',
    description:
      'The users that the token may see, ordered by name or by their last turn, with counts over all of their sessions. A user is listed from the first turn on; the counts follow within a moment.',
    members: { sort },
    cursorFaults: query => (isByTime(query) ? cursors.recentUsers : cursors.users).faults(query),
    example: [{ user_id: 'ada', sessions: 4, turns: 120, last_at: '2026-03-08T21:14:00.000Z' }],
    next: cursors.users.encode({ user: said.user_id }),
  }),
  sessions: list('sessions', sessionItem, {
    summary: 'List sessions',
    description:
      'Ordered by user and name, or by their last turn, with the times of the first and last turn. A session is listed from its first turn on; the counts follow within a moment.',
    members: { user_id: user, sort },
    cursorFaults: query => (isByTime(query) ? cursors.recentSessions : cursors.sessions).faults(query),
    example: [
      {
        user_id: 'ada',
        session_id: 'monday',
        title: 'The move to Lyon',
        turns: 31,
        first_at: '2026-01-05T09:30:00.000Z',
        last_at: '2026-01-05T10:02:00.000Z',
      },
    ],
  }),
  turns: list('turns', turnItem, {
    summary: 'List turns',
    description:
      'Ordered by user, session and time: with a session_id, the conversation as it was spoken; with order desc, from its end. An acknowledged turn is listed at once.',
    members: {
      user_id: user,
      session_id: session,
      role: { ...text(1, 64), description: 'Only turns with this role.' },
      ...window,
      filter: filterQuery,
      order: {
        type: 'string',
        enum: ['asc', 'desc'],
        default: 'asc',
        description: 'By user, session and time, ascending or descending.',
      },
    },
    cursorFaults: query => cursors.turns[orderOf(query)].faults(query),
    example: [turnExample],
    next: cursors.turns.asc.encode({
      user: said.user_id,
      session: said.session_id,
      timestamp: Date.parse(said.timestamp),
      offset: 1042,
      id: TURN_ID,
    }),
  }),
  observations: list('observations', observationItem, {
    summary: 'List observations',
    description:
      "What clients sent with turns and what extractors found in them, ordered by user, session and the turn's time.",
    members: {
      user_id: user,
      session_id: session,
      turn_id: turn,
      source: { ...source, description: 'Only those from this source.' },
      ...window,
    },
    cursorFaults: cursors.observations.faults,
    example: [observationExample],
  }),
  facts: list('facts', factItem, {
    summary: 'List what holds',
    description:
      'What holds of a user and of the people and things they speak of: one value of an attribute that has one at a time, all of the others. It is decided when it is read, from everything that was said: the value that began last holds, equal values are one fact with all of their sources, and a denial ends one. With holds=ever its history. Ordered by attribute and subject; within, by when it began.',
    members: {
      user_id: {
        ...id,
        description: "Whose facts. Default: the token's user; required where a token may name any.",
      },
      session_id: session,
      subject: { ...text(1, 256), description: "Only of this subject: an entity's id, or a label." },
      value: {
        ...text(1, 256),
        description:
          "Only facts whose value names this, so what it is to others: an entity's id, or a label. With ent_… of Grace: that Grace is Ada's sibling.",
      },
      attribute: { ...text(1, 64), description: 'Only this attribute, such as home.' },
      holds: {
        type: 'string',
        enum: ['now', 'ever'],
        default: 'now',
        description: 'What holds, or also what held before.',
      },
      as_of: {
        ...instant,
        description: 'As of this moment: of what was recorded by then, what held then; RFC 3339.',
      },
    },
    cursorFaults: cursors.facts.faults,
    example: [factExample],
  }),
  entities: list('entities', entityItem, {
    summary: 'List entities',
    description:
      'The people, places and things that extractors found, ordered by user and name. Each user has their own.',
    members: {
      user_id: user,
      session_id: session,
      turn_id: turn,
      kind: { ...text(1, 64), description: 'Only this kind, such as person.' },
    },
    cursorFaults: cursors.entities.faults,
    example: [{ ...entityExample, turns: 1, aliases: [] }],
  }),
};

type Lists = typeof lists;
export type ListName = keyof Lists;
/** The query and the page of each list. */
export type Query<Name extends ListName> = AskedOf<Lists[Name]>;
export type Page<Name extends ListName> = AnsweredBy<Lists[Name]>;

export type Users = Page<'users'>;
export type Sessions = Page<'sessions'>;
export type Turns = Page<'turns'>;
export type Observations = Page<'observations'>;
export type Facts = Page<'facts'>;
export type Entities = Page<'entities'>;

export const listOperations: Operations = Object.fromEntries(
  Object.entries(lists).map(([name, operation]) => [listIdOf(name), operation]),
);
