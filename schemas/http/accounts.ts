/** Organizations; their API keys are in api-keys.ts. */
import { type Check, makeCheck } from '../ajv.ts';
import type { FromSchema } from '../from-schema.ts';
import { SCREEN_CHOICES, SCREENS } from '../screening.ts';
import { keyMembers, shownOnce } from './api-keys.ts';
import { MOST_DAYS } from './ingestion.ts';
import { body, guarded, json, open } from './operation.ts';
import { tokensPerDay } from './parts/examples.ts';
import {
  component,
  count,
  instant,
  list,
  nullableString,
  object,
  reference,
  shown,
  string,
  text,
} from './parts/parts.ts';
import { RIGHTS } from './rights.ts';

// ---- requests

const signUp = component('SignUp', {
  type: 'object',
  required: ['org_id'],
  properties: {
    org_id: {
      type: 'string',
      pattern: '^[a-z0-9][a-z0-9_-]{1,62}$',
      'x-rule':
        'must have 2 to 63 lower-case letters, digits, hyphens or underscores and begin with a letter or digit',
    },
    name: shown(1, 128),
    email: {
      ...text(3, 254),
      pattern: '^[^@\\s]+@[^@\\s]+$',
      'x-rule': 'must be an e-mail address',
    },
  },
});
export type SignUpBody = FromSchema<typeof signUp.schema>;
export const checkSignUp: Check<SignUpBody> = makeCheck(signUp.schema);

// ---- answers

const signedUp = component('SignedUp', object({ org_id: string, user_id: string, api_key: shownOnce }));
export const limits = component('Limits', {
  ...object({ tokens_in: count, tokens_out: count }),
  description: 'Tokens per UTC day; 0: no cap.',
});
const me = component(
  'Me',
  object({
    org_id: string,
    user_id: keyMembers.user_id,
    session_id: { ...nullableString, description: 'The session of calls that name none.' },
    strict: keyMembers.strict,
    roles: list(string),
    plan: string,
    limits: reference(limits),
    created_at: instant,
  }),
);
const days = {
  type: ['integer', 'null'],
  minimum: 1,
  maximum: MOST_DAYS,
  description: 'Days from when it was recorded; null: for ever.',
} as const;

const setRetentionSchema = { type: 'object', required: ['days'], properties: { days } } as const;
const setRetention = component('SetRetention', setRetentionSchema);
export type SetRetentionBody = FromSchema<typeof setRetentionSchema>;
const checkSetRetention: Check<SetRetentionBody> = makeCheck(setRetentionSchema);

const retention = component('Retention', {
  ...object({
    days: { ...days, description: 'What is in force now: days from when it was recorded; null: for ever.' },
    next: {
      type: ['object', 'null'],
      required: ['days', 'in_force_at'],
      properties: { days, in_force_at: instant },
      description: 'What was set and takes its place; null: nothing.',
    },
  }),
  description: 'How long an organization keeps what has no expiry of its own.',
});

const setScreeningSchema = {
  type: 'object',
  required: ['screen'],
  properties: {
    screen: { type: 'string', enum: SCREEN_CHOICES, description: 'default: what the installation does.' },
  },
} as const;
const setScreening = component('SetScreening', setScreeningSchema);
const checkSetScreening: Check<FromSchema<typeof setScreeningSchema>> = makeCheck(setScreeningSchema);

const screening = component(
  'Screening',
  object({
    screen: {
      type: 'string',
      enum: SCREENS,
      description: 'secrets: they are replaced before anything is stored; off: nothing is.',
    },
    own: { type: 'boolean', description: 'Whether the organization has set it; else the installation did.' },
    rules: { ...string, description: 'The version of the rules.' },
  }),
);

export type SignUpAnswer = FromSchema<typeof signedUp.schema>;
/** Tokens per UTC day; 0: no cap. */
export type Limits = FromSchema<typeof limits.schema>;
export type MeAnswer = FromSchema<typeof me.schema>;
export type RetentionAnswer = FromSchema<typeof retention.schema>;
export type ScreeningAnswer = FromSchema<typeof screening.schema>;
// ---- endpoints

export const accountOperations = {
  signUp: open({
    method: 'post',
    path: '/signup',
    summary: 'Create an organization',
    description:
      'The configuration may disable sign-up, and caps the organizations of the installation (403). One that has written nothing for some days (30, unless configured otherwise) is removed, and its id is not given again.',
    tag: 'Accounts',
    request: body(signUp, checkSignUp, { org_id: 'acme', name: 'Acme' }),
    answer: json(201, 'The organization and its first API key.', signedUp, {
      org_id: 'acme',
      user_id: 'owner',
      api_key: 'ts_…',
    }),
    statuses: [403, 409, 503],
  }),
  me: guarded({
    method: 'get',
    path: '/me',
    summary: "Get the key's organization, user and roles",
    tag: 'Accounts',
    ...RIGHTS.me,
    answer: json(200, 'The organization, and the reach of the credential.', me, {
      org_id: 'acme',
      user_id: 'owner',
      session_id: null,
      strict: false,
      roles: ['*'],
      plan: 'free',
      limits: tokensPerDay,
      created_at: '2026-03-01T08:00:00.000Z',
    }),
    statuses: [404, 503],
  }),
  retention: guarded({
    method: 'get',
    path: '/me/retention',
    summary: "Get the organization's retention",
    description: 'How long what has no expiry of its own is kept.',
    tag: 'Accounts',
    ...RIGHTS.retention,
    answer: json(200, 'What is in force, and what was set after it.', retention, { days: null, next: null }),
    statuses: [404, 503],
  }),
  setRetention: guarded({
    method: 'put',
    path: '/me/retention',
    summary: "Set the organization's retention",
    description:
      'In force 24 hours after it was set; until then it can be replaced, and nothing has happened. From that moment on what has no expiry of its own, and was recorded longer ago, is in no answer. What has expired stays so, whatever is set later. What was billed stays billed.',
    tag: 'Accounts',
    ...RIGHTS.setRetention,
    request: body(setRetention, checkSetRetention, { days: 365 }),
    answer: json(200, 'What is in force, and what was set after it.', retention, {
      days: null,
      next: { days: 365, in_force_at: '2026-03-10T09:30:00.000Z' },
    }),
    statuses: [404, 503],
  }),
  screening: guarded({
    method: 'get',
    path: '/me/screening',
    summary: 'Get what is screened',
    description: 'Whether secrets are replaced in what the organization sends.',
    tag: 'Accounts',
    ...RIGHTS.screening,
    answer: json(200, 'What is screened.', screening, { screen: 'off', own: false, rules: 'secrets-1' }),
    statuses: [404, 503],
  }),
  setScreening: guarded({
    method: 'put',
    path: '/me/screening',
    summary: 'Set what is screened',
    description:
      'With secrets, a placeholder such as (secret: card-number) takes the place of each key, token, password and card number in whatever is sent from now on: texts, observations, metadata, titles, names, questions. Nothing else of them is stored, counted, billed or given to a model. What was stored before stays. The rules: docs/reference/screening.md.',
    tag: 'Accounts',
    ...RIGHTS.setScreening,
    request: body(setScreening, checkSetScreening, { screen: 'secrets' }),
    answer: json(200, 'What is screened from now on.', screening, {
      screen: 'secrets',
      own: true,
      rules: 'secrets-1',
    }),
    statuses: [404, 503],
  }),
};
