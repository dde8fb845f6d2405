/** Receipts: what a recall answered, read again within 90 days. */

import { makeCheck } from '../ajv.ts';
import { VERDICTS } from '../events/curation/judgement.ts';
import type { FromSchema } from '../from-schema.ts';
import { body, guarded, json } from './operation.ts';
import { said, TEXT, TURN_ID } from './parts/examples.ts';
import { source, textPart, utcOffset } from './parts/hits.ts';
import { component, count, instant, list, nullableString, object, reference, string } from './parts/parts.ts';
import { RIGHTS } from './rights.ts';

const receiptHit = component(
  'ReceiptHit',
  object(
    {
      kind: { type: 'string', enum: ['turn', 'observation', 'entity'] },
      used_in: {
        type: 'string',
        enum: ['hits', 'context', 'facts'],
        description:
          'hits: a hit of the answer. context: only its context or its timeline quotes it, the part that is shown. facts: what the context says that holds.',
      },
      status: {
        type: 'string',
        enum: ['shown', 'erased'],
        description: 'erased: it was erased or hidden since, and has no words.',
      },
      id: {
        ...nullableString,
        description: 'null for an erased observation or entity, whose id is made of its words.',
      },
      score: { type: ['number', 'null'], description: 'As it was answered; null for facts.' },
    },
    {
      text: { type: 'string', description: 'As a recall renders it, read anew.' },
      content: {
        type: 'string',
        description:
          'The words alone, and only those that the answer had: of a long turn or a cut one the part, of a fact its value.',
      },
      part: reference(textPart),
      said_at: instant,
      utc_offset: utcOffset,
      user_id: string,
      session_id: string,
      role: { type: 'string', description: 'Of a turn.' },
      source,
      label: { type: 'string', description: 'Of an entity.' },
      verdict: {
        type: 'string',
        enum: VERDICTS,
        description: 'What was said last of this turn or observation (POST /recalls/{id}/feedback).',
      },
    },
  ),
);
export type ReceiptHitItem = FromSchema<typeof receiptHit.schema>;

const receipt = component(
  'Receipt',
  object({
    receipt_id: string,
    recalled_at: { ...instant, description: 'When it was answered.' },
    expires_at: { ...instant, description: 'From this moment on it is a 404.' },
    q: { ...nullableString, description: 'The question; null once what it searched was erased.' },
    mode: { type: 'string', enum: ['active', 'deep'] },
    as_of: { type: ['string', 'null'], format: 'date-time', description: 'The as_of of the question.' },
    ranker: { type: 'string', description: 'Names the weights that ranked it.' },
    confidence: { type: 'number', minimum: 0, maximum: 1 },
    hits: { ...list(reference(receiptHit)), description: 'In the order of the answer, best first.' },
    feedback: {
      ...object({ helpful: count, wrong: count }),
      description: 'How many of the turns and observations are said to be so.',
    },
  }),
);
export type ReceiptAnswer = FromSchema<typeof receipt.schema>;

const giveFeedback = component('GiveFeedback', {
  type: 'object',
  required: ['hit_id', 'verdict'],
  properties: {
    hit_id: {
      type: 'string',
      minLength: 1,
      maxLength: 64,
      description: 'The id of a turn or an observation among the hits of the receipt.',
    },
    verdict: { type: 'string', enum: VERDICTS },
  },
});
export type FeedbackBody = FromSchema<typeof giveFeedback.schema>;
const checkFeedback = makeCheck<FeedbackBody>(giveFeedback.schema);

const feedback = component(
  'Feedback',
  object({ receipt_id: string, hit_id: string, verdict: { type: 'string', enum: VERDICTS } }),
);
export type FeedbackAnswer = FromSchema<typeof feedback.schema>;

const RECEIPT_ID = 'rcl_5a0f1d9c-5f0e-4f5b-9f53-0a6d1a7a2f10.0.1042';

export const receiptOperations = {
  readReceipt: guarded({
    method: 'get',
    path: '/recalls/{id}',
    summary: 'Read what a recall answered',
    description:
      'Of a recall with receipt: true, for 90 days: the same hits in the same order with their scores, and what its context and its timeline quote, with the confidence, the moment and the ranker. The words are read anew, and only those that the answer had; what was erased or hidden since is marked, and has none. A key sees receipts of recalls that it could make itself; all others are a 404. An entity is shown by a name that its turns say, while one of them is there. The question is erased with the session or the user that it searched; one over the whole organization with the user whose key asked it. Not billed.',
    tag: 'Memory',
    ...RIGHTS.readReceipt,
    answer: json(200, 'The answer, as it was, with the words of today.', receipt, {
      receipt_id: RECEIPT_ID,
      recalled_at: '2026-03-10T08:00:00.000Z',
      expires_at: '2026-06-08T08:00:00.000Z',
      q: 'Where does Ada live?',
      mode: 'active',
      as_of: null,
      ranker: '2026-11-21-0a1b2c3d4e5f',
      confidence: 0.94,
      hits: [
        {
          kind: 'turn',
          used_in: 'hits',
          status: 'shown',
          id: TURN_ID,
          score: 0.61,
          text: `[2026-01-05] [user] ${TEXT}`,
          content: TEXT,
          said_at: said.timestamp,
          user_id: said.user_id,
          session_id: said.session_id,
          role: 'user',
          verdict: 'helpful',
        },
        { kind: 'observation', used_in: 'hits', status: 'erased', id: null, score: 0.4 },
      ],
      feedback: { helpful: 1, wrong: 0 },
    }),
    statuses: [404, 503],
  }),
  giveFeedback: guarded({
    method: 'post',
    path: '/recalls/{id}/feedback',
    summary: 'Say whether a hit was helpful',
    description:
      'Of a turn or an observation of a recall with receipt: true, while its receipt can be read. The last verdict of a hit counts; the same again changes nothing. GET /recalls/{id} shows and counts them, and an export has them. A verdict is hidden, expires and is erased with its hit, of which nothing more can be said then (404). It changes no ranking. Not billed; 10,000 an organization and day (429).',
    tag: 'Memory',
    ...RIGHTS.giveFeedback,
    request: body(giveFeedback, checkFeedback, { hit_id: TURN_ID, verdict: 'helpful' }),
    answer: json(200, 'As it counts now.', feedback, {
      receipt_id: RECEIPT_ID,
      hit_id: TURN_ID,
      verdict: 'helpful',
    }),
    statuses: [404, 503],
  }),
};
