/** Curation: what is stored is hidden or corrected by events; nothing that was written changes. */
import { type Check, makeCheck } from '../ajv.ts';
import type { FromSchema } from '../from-schema.ts';
import { factProperties, ingestSchema, observationText } from './ingestion.ts';
import { observationItem } from './items.ts';
import { body, type GuardedOperation, guarded, json } from './operation.ts';
import { scope } from './parts/examples.ts';
import type { Fault } from './parts/faults.ts';
import { memberFaults } from './parts/observation.ts';
import { component, instant, reference, screened, usage } from './parts/parts.ts';
import { scopeSchema } from './parts/scope-schema.ts';
import { RIGHTS } from './rights.ts';

// ---- requests

const saySchema = {
  type: 'object',
  required: ['scope', 'text'],
  properties: {
    scope: scopeSchema,
    text: observationText,
    ...factProperties,
    subject: { ...factProperties.subject, description: 'Whose attribute it is. Default: The user.' },
    timestamp: { ...instant, description: 'When it was said. Default: now.' },
    metadata: ingestSchema.properties.metadata,
  },
} as const;
const say = component('Say', saySchema);
export type SayBody = FromSchema<typeof saySchema>;

const checkSay: Check<SayBody> = makeCheck(saySchema, {
  between: sent =>
    memberFaults(Object(sent) as Record<string, unknown>).map(([name, message]) => fault(name, message)),
});

const { subject, attribute, about, value, valid_from, stance } = factProperties;
const correctable = {
  text: {
    ...observationText,
    description: 'Default: the old text with the corrected value and subject in it.',
  },
  subject: { ...subject, description: 'Whose attribute it is.' },
  attribute,
  about,
  value,
  valid_from: { ...valid_from, description: 'From when it holds.' },
  stance: { ...stance, description: 'How it was said.' },
} as const;
const correctSchema = { type: 'object', properties: correctable } as const;
const correct = component('Correct', { ...correctSchema, minProperties: 1 } as const);
export type CorrectBody = FromSchema<typeof correctSchema>;

const checkCorrect: Check<CorrectBody> = makeCheck(correctSchema, {
  between: sent => {
    const said = Object(sent) as Record<string, unknown>;
    return Object.keys(correctable).some(name => said[name] !== undefined)
      ? []
      : [fault(undefined, `must have one of ${Object.keys(correctable).join(', ')}`)];
  },
});

const fault = (name: string | undefined, message: string): Fault => ({
  form: false,
  loc: ['body', ...(name === undefined ? [] : [name])],
  type: 'incomplete',
  message,
});

// ---- answers

const { properties, required } = observationItem.schema;
const statedObservation = component('StatedObservation', {
  ...observationItem.schema,
  properties: { ...properties, usage: reference(usage), screened },
  required: [...required, 'usage'],
} as const);
export type StatedObservation = FromSchema<typeof statedObservation.schema>;

const OBSERVATION_ID = 'obs_01c1867ad1376fca818c9058dcbb892e';
const stated = {
  id: OBSERVATION_ID,
  user_id: 'ada',
  session_id: 'monday',
  turn_id: null,
  source: 'client' as const,
  text: 'Ada lives in Porto.',
  timestamp: '2026-01-05T09:30:00.000Z',
  subject: { id: 'ent_e6cb0ab77cb1f4e2c0a1e2a5', label: 'Ada' },
  attribute: 'home',
  value: 'Porto',
  valid_from: null,
  ended: false,
  stance: 'holds' as const,
  certainty: 1,
  usage: { tokens_in: 8, tokens_out: 0 },
};

// ---- endpoints

const retracting = (operation: Omit<GuardedOperation, 'method' | 'tag' | 'answer' | 'statuses'>) =>
  guarded({
    method: 'delete',
    tag: 'Memory',
    answer: { status: 204, description: 'Hidden; from now on it is 404.' },
    statuses: [404, 503],
    ...operation,
  });

const WORDS =
  'Nothing is billed, and what was billed stays. The words are destroyed when their session is erased (DELETE /memory).';

export const curationOperations = {
  say: guarded({
    method: 'post',
    path: '/memory/observations',
    summary: 'Say something without a turn',
    description:
      'Stores a sentence about a user and, with an attribute, what it says of a subject. It is found at once, and billed like an observation sent with a turn. Saying the same again in the same session is a no-op.',
    tag: 'Memory',
    ...RIGHTS.say,
    request: body(say, checkSay, {
      scope,
      text: 'Ada lives in Porto.',
      subject: 'Ada',
      attribute: 'home',
      value: 'Porto',
      timestamp: '2026-01-05T09:30:00Z',
    }),
    answer: json(201, 'Stored.', statedObservation, stated),
    statuses: [409, 429, 503],
  }),
  correct: guarded({
    method: 'patch',
    path: '/memory/observations/{id}',
    summary: 'Correct an observation',
    description:
      'Answers with the observation that supersedes it: of the same session, time and metadata, and billed like any other. From now on it holds instead of what it corrects, wherever and however often that was said by now; what was corrected stays in the lists and is marked. One that was corrected before is corrected as it stands by now.',
    tag: 'Memory',
    ...RIGHTS.correct,
    request: body(correct, checkCorrect, { value: 'Porto' }),
    answer: json(200, 'The observation that supersedes it.', statedObservation, {
      ...stated,
      corrects: 'obs_01c1867a3df5ac0c6a9e8b7a5d1f0c2e',
    }),
    statuses: [404, 409, 429, 503],
  }),
  retractTurn: retracting({
    ...RIGHTS.retractTurn,
    path: '/memory/turns/{id}',
    summary: 'Hide a turn',
    description: `Hides a turn, with its observations, their corrections and its mentions, from every answer, list, feed and export at once and for good: also as of moments before, and after a replay. The title of its session goes with it: give another one. Sent again, it stays hidden. ${WORDS}`,
  }),
  retractObservation: retracting({
    ...RIGHTS.retractObservation,
    path: '/memory/observations/{id}',
    summary: 'Hide an observation',
    description: `The same for one observation or fact, with what it was corrected to: the older value holds again. Its turn stays, and so does another turn's observation of the same words. ${WORDS}`,
  }),
};
