/** How much was said, learnt and asked, by UTC day. */
import type { FromQuery, FromSchema } from '../from-schema.ts';
import { CONFIDENCE_BINS, LATENCY_BOUNDS_MS } from '../recall-bins.ts';
import { guarded, json } from './operation.ts';
import { component, count, id, list, object } from './parts/parts.ts';
import { query } from './queries/query-schema.ts';
import { RIGHTS } from './rights.ts';

/** Days by default, the current one among them. */
export const STATS_DAYS = 30;
const MOST_DAYS = 366;

const members = {
  user_id: { ...id, description: 'Only this user. Default: all users that the token may see.' },
  days: {
    type: 'integer',
    minimum: 1,
    maximum: MOST_DAYS,
    default: STATS_DAYS,
    description: 'So many days, up to and with the current one in UTC.',
  },
} as const;

const up = (description: string) => ({ type: ['integer', 'null'], description }) as const;

const memoryStats = component(
  'MemoryStats',
  object({
    days: {
      ...list(
        object({
          day: { type: 'string', format: 'date', description: 'In UTC, of when it was recorded.' },
          turns: { ...count, description: 'Turns stored: each once, whatever has become of it.' },
          users: { ...count, description: 'Users of whom a turn was stored.' },
          sessions: { ...count, description: 'Sessions of which a turn was stored.' },
          facts: {
            ...count,
            description: 'Facts learnt: observations that say an attribute, of clients and of extractors.',
          },
          recalls: { ...count, description: 'Recalls answered.' },
        }),
      ),
      description: 'Every day in order, the current one last, also those on which nothing happened.',
    },
    latency_ms: {
      ...list(
        object({
          up_to: up('Milliseconds, inclusive; null: any number above the bin before.'),
          recalls: count,
        }),
      ),
      description:
        'The recalls of these days, by how long each took from its admission until its answer was made: all bins, in order.',
    },
    confidence: {
      ...list(
        object({
          from: { type: 'number', minimum: 0, maximum: 1 },
          to: {
            type: 'number',
            minimum: 0,
            maximum: 1,
            description: 'Exclusive, but 1 itself is in the last bin.',
          },
          recalls: count,
        }),
      ),
      description: 'The recalls of these days, by the confidence of their answers: ten bins, in order.',
    },
  }),
);

export type StatsQuery = FromQuery<typeof members>;
export type MemoryStats = FromSchema<typeof memoryStats.schema>;

const example: MemoryStats = {
  days: [
    { day: '2026-03-07', turns: 0, users: 0, sessions: 0, facts: 0, recalls: 0 },
    { day: '2026-03-08', turns: 120, users: 4, sessions: 7, facts: 31, recalls: 45 },
  ],
  latency_ms: [...LATENCY_BOUNDS_MS, null].map(up_to => ({ up_to, recalls: up_to === 20 ? 45 : 0 })),
  confidence: Array.from({ length: CONFIDENCE_BINS }, (_, n) => ({
    from: n / CONFIDENCE_BINS,
    to: (n + 1) / CONFIDENCE_BINS,
    recalls: n === 9 ? 45 : 0,
  })),
};

export const statsOperations = {
  readStats: guarded({
    method: 'get',
    path: '/memory/stats',
    summary: 'Count turns, facts and recalls by day',
    description:
      'What was stored and asked on each UTC day: of the organization, or of one user. The recalls of a user are those that searched this user alone. Counts follow within a moment of what they count. An erasure, a retraction or an expiry takes nothing from the days before, as it takes nothing from bills; the turns, sessions and facts of a user that was erased are no longer found under the user id.',
    tag: 'Memory',
    ...RIGHTS.readStats,
    query: query(members),
    answer: json(200, 'Counts by day, and recalls in bins.', memoryStats, example),
    statuses: [422, 503],
  }),
};
