/** Billed tokens by day and by month. */
import type { FromQuery, FromSchema } from '../from-schema.ts';
import { limits } from './accounts.ts';
import { type GuardedOperation, guarded, json } from './operation.ts';
import { tokensPerDay } from './parts/examples.ts';
import type { Fault } from './parts/faults.ts';
import {
  component,
  count,
  instant,
  list,
  nullableString,
  object,
  reference,
  string,
  usage,
} from './parts/parts.ts';
import { query } from './queries/query-schema.ts';
import { RIGHTS } from './rights.ts';

const monthSchema = {
  type: 'string',
  pattern: '^(19[7-9]\\d|[2-9]\\d{3})-(0[1-9]|1[0-2])$',
  'x-rule': 'must be a month from 1970-01 to 9999-11, such as 2026-01',
  examples: ['2026-01'],
} as const;
const month = { ...monthSchema, description: 'YYYY-MM, in UTC. Default: the current month.' };

/** Rejects the last month of 9999, because its end has no RFC 3339 form. */
const nameableMonth = (value: unknown): Fault[] =>
  (value as FromQuery<{ month: typeof monthSchema }>).month === '9999-12'
    ? [{ form: false, loc: ['query', 'month'], type: 'pattern', message: monthSchema['x-rule'] }]
    : [];

/** Shares by default. */
export const SHARES = 100;

/** By what the sums can be split. */
export const SPLIT_BY = ['user', 'session', 'key'] as const;

const splitMembers = {
  by: {
    type: 'string',
    enum: SPLIT_BY,
    description:
      "Adds the split of the sums by user, by session or by API key. For a key without the role *, sums and split are then its own user's.",
  },
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: 1_000,
    default: SHARES,
    description: 'With by: the most shares; what is beyond them is in other.',
  },
} as const;
const monthMembers = { month, ...splitMembers };

export type UsageSplitQuery = FromQuery<typeof splitMembers>;
export type UsageMonthQuery = FromQuery<typeof monthMembers>;

const todayQuery = query(splitMembers);
const usageQuery = query(monthMembers, { between: nameableMonth });

const statementQuery = query(
  { month: { ...monthSchema, description: 'YYYY-MM, in UTC: a month that is over.' } },
  { required: ['month'], between: nameableMonth },
);

const monthBounds = { period: { type: 'string', enum: ['month'] }, start: instant, end: instant } as const;

const usageShare = component(
  'UsageShare',
  object(
    { tokens_in: count, tokens_out: count },
    {
      user_id: { ...string, description: 'By user, and by session.' },
      session_id: {
        ...nullableString,
        description: "By session; null: the user's recalls, which are counted to no session.",
      },
      key_id: { ...nullableString, description: 'By key; null: what was imported.' },
    },
  ),
);

const rest = (description: string) => ({ ...reference(usage), description });

const usageSplit = component(
  'UsageSplit',
  object({
    by: splitMembers.by,
    shares: {
      ...list(reference(usageShare)),
      description:
        'Most tokens first. A turn is counted to the user and the session that it was written to, a recall to the user that it searched, or to the user whose key asked where it searched all. In each day of a month the shares are of those with the most tokens in the month.',
    },
    other: rest('All shares beyond the limit.'),
    erased: rest(
      'What belongs to users and sessions that were erased or have expired, and recalls of users of whom nothing is stored: nothing names them any more. By key it is with its key.',
    ),
    pending: rest('Billed in the last moments, and not split yet.'),
  }),
);

const split = { split: { ...reference(usageSplit), description: 'With by; it adds up to the sums.' } };

const usageToday = component(
  'UsageToday',
  object(
    {
      period: { type: 'string', enum: ['day_utc'] },
      start: instant,
      end: instant,
      tokens_in: count,
      tokens_out: count,
      limits: reference(limits),
    },
    split,
  ),
);
const usageMonth = component(
  'UsageMonth',
  object({ ...monthBounds, tokens_in: count, tokens_out: count }, split),
);
const usageDaily = component(
  'UsageDaily',
  object({
    ...monthBounds,
    days: {
      ...list(
        object(
          {
            day: { type: 'string', format: 'date', description: 'In UTC.' },
            tokens_in: count,
            tokens_out: count,
          },
          split,
        ),
      ),
      description: 'Every day of the month in order, including days without usage; no future days.',
    },
  }),
);

const usageStatement = component(
  'UsageStatement',
  object({
    statement: {
      type: 'string',
      description:
        "A JWS (RFC 7515) with org_id, month, tokens_in, tokens_out, the number of billed events, the same by day in days, and root: the root of the Merkle tree of RFC 6962 (SHA-256, hexadecimal) over the billed events in the order of their ids' bytes; a leaf is an event as compact JSON, [id, tokens_in, tokens_out].",
    },
  }),
);

export type UsageStatement = FromSchema<typeof usageStatement.schema>;
export type UsageTotals = FromSchema<typeof usage.schema>;
export type UsageSplitAnswer = FromSchema<typeof usageSplit.schema>;
export type UsageToday = FromSchema<typeof usageToday.schema>;
export type UsageMonth = FromSchema<typeof usageMonth.schema>;
export type UsageDaily = FromSchema<typeof usageDaily.schema>;

const march = {
  period: 'month',
  start: '2026-03-01T00:00:00+00:00',
  end: '2026-04-01T00:00:00+00:00',
} as const;

const reading = <Asked = undefined, Answered = void>(
  operation: Omit<GuardedOperation<Asked, undefined, Answered>, 'method' | 'tag'>,
) => guarded({ method: 'get', tag: 'Usage', ...operation });

const COMPLETE = 'Includes every call that was answered before this one.';
const SPLIT =
  "The sums are the organization's, as its caps are. With by they are split by user, session or key, and add up to the token: shares, other, erased and pending together are the sums.";

export const usageOperations = {
  usageToday: reading({
    ...RIGHTS.usageToday,
    path: '/usage/today',
    summary: 'Usage of the current UTC day',
    description: SPLIT,
    query: todayQuery,
    answer: json(200, COMPLETE, usageToday, {
      period: 'day_utc',
      start: '2026-03-09T00:00:00+00:00',
      end: '2026-03-10T00:00:00+00:00',
      tokens_in: 1_204,
      tokens_out: 8_450,
      limits: tokensPerDay,
    }),
    statuses: [422, 503],
  }),
  usageMonth: reading({
    ...RIGHTS.usageMonth,
    path: '/usage/summary',
    summary: 'Usage of a calendar month in UTC',
    description: SPLIT,
    query: usageQuery,
    answer: json(200, COMPLETE, usageMonth, { ...march, tokens_in: 30_411, tokens_out: 190_002 }),
    statuses: [422, 503],
  }),
  usageDaily: reading({
    ...RIGHTS.usageDaily,
    path: '/usage/daily',
    summary: 'Usage of each UTC day of a month',
    description: `The current month is listed up to today. ${SPLIT}`,
    query: usageQuery,
    answer: json(200, COMPLETE, usageDaily, {
      ...march,
      days: [
        { day: '2026-03-01', tokens_in: 1_204, tokens_out: 8_450 },
        { day: '2026-03-02', tokens_in: 0, tokens_out: 0 },
      ],
    }),
    statuses: [422, 503],
  }),
  usageStatement: reading({
    ...RIGHTS.usageStatement,
    path: '/usage/statement',
    summary: 'The signed statement of a month',
    description:
      'What the month billed, for your records: signed by a key of /.well-known/jwks.json, and computed again from an export by turnstone statement verify. A statement can be made two hours after the end of its month in UTC, once the month is fully projected; until then, and when the month is no longer kept, the answer is 409. A month in the future is 422. Nothing that erases or hides words changes it. An import of events that were recorded in the month, and an event requeued from the dead letters, do; `iat` says when it was computed.',
    query: statementQuery,
    answer: json(200, 'A statement of the whole month.', usageStatement, { statement: 'eyJ…' }),
    statuses: [409, 422, 503],
  }),
};
