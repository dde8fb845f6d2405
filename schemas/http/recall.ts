/** Questions, and the ranking that answers them. */
import { type Check, makeCheck } from '../ajv.ts';
import { utcOffsetSchema } from '../events/turns.ts';
import type { FromSchema } from '../from-schema.ts';
import { body, guarded, json } from './operation.ts';
import { entityHit, entityHitExample, observationHit, turnHit, turnHitExample } from './parts/hits.ts';
import {
  component,
  freshness,
  freshnessExample,
  instant,
  list,
  nullableString,
  object,
  reference,
  text,
  usage,
} from './parts/parts.ts';
import { scopeSchema } from './parts/scope-schema.ts';
import { shortenMember } from './parts/shorten.ts';
import { filterBodyFaults, filterReference } from './queries/filter.ts';
import { windowFaults } from './queries/window.ts';
import { RIGHTS } from './rights.ts';

/** The models that may take part in a ranking. */
export const MODEL_NAMES = ['embeddings', 'rerank', 'reader'] as const;
export type ModelName = (typeof MODEL_NAMES)[number];

export const HIT_KINDS = ['turn', 'observation', 'entity'] as const;

export const recallSchema = {
  type: 'object',
  required: ['scope', 'q'],
  properties: {
    scope: scopeSchema,
    q: { ...text(1, 8_192), description: 'A question or words, in natural language.' },
    mode: { type: 'string', enum: ['active', 'deep'], default: 'active' },
    top_k: {
      type: 'integer',
      minimum: 1,
      maximum: 50,
      description: 'Hits across all kinds. Default: 15 for active, 25 for deep; at most 30 are used.',
    },
    holds: {
      type: 'string',
      enum: ['now', 'ever'],
      description:
        'ever: facts that no longer hold are hits too, and turns that say them keep their places. Default: now, unless the question asks about the past.',
    },
    include_timeline: { type: 'boolean', default: false },
    include_context: {
      type: 'boolean',
      default: false,
      description: 'Adds context: one string for a prompt, of the 30 best hits, whatever top_k is.',
    },
    context_max_tokens: {
      type: 'integer',
      minimum: 50,
      maximum: 8_000,
      default: 800,
      description: 'Most tokens of the context (o200k_base). Giving it asks for a context.',
    },
    include_hits: {
      type: 'boolean',
      default: true,
      description: 'False leaves the three lists empty; hits that are not returned are not billed.',
    },
    min_score: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      description: 'Least score of a hit. Applies to the context and the timeline too.',
    },
    max_tokens: {
      type: 'integer',
      minimum: 1,
      maximum: 100_000,
      description:
        'Most tokens of the hits together, their texts and labels, best first; long turns come as their parts (passages). A hit that does not fit is passed over.',
    },
    passages: {
      type: 'boolean',
      description:
        'true: text and content of a long hit, one of more than about 80 words, are the part that matters for the question, and part says where it is. false: all of its words. Default: true with max_tokens, otherwise false. The context and the timeline always quote the part.',
    },
    kinds: {
      type: 'array',
      minItems: 1,
      maxItems: 16,
      items: { type: 'string', enum: HIT_KINDS },
      description: 'Kinds of hits to return. Default: all.',
    },
    since: { ...instant, description: 'Earliest timestamp, inclusive.' },
    until: { ...instant, description: 'Latest timestamp, inclusive; not before since.' },
    as_of: {
      ...instant,
      description:
        'Answers only from what had been recorded by this moment, inclusive. In contrast, since and until compare with the timestamps of the turns. A moment less than about a minute in the past is a 422.',
    },
    utc_offset: {
      ...utcOffsetSchema,
      description:
        'Where the question is asked, in minutes to the east of UTC: "yesterday" and "on 5 May" are days there. Default: the offset that as_of is written with, else 0.',
    },
    receipt: {
      type: 'boolean',
      default: false,
      description:
        'Keeps what was answered for 90 days: the answer has receipt_id, and GET /recalls/{id} gives it back. Bills one of tokens_in for each hit that it keeps.',
    },
    filter: { type: 'object' },
    embeddings_model: {
      ...text(1, 256),
      description:
        'One of the embedding models that are configured, to compare it before it serves. Default: the one that serves.',
    },
    explain: {
      type: 'boolean',
      default: false,
      description: 'Adds to each turn and observation an explanation of its score; costs no tokens.',
    },
  },
} as const;
/** A filter nests, so that only its own check knows all of it. */
const recall = component('Recall', {
  ...recallSchema,
  properties: { ...recallSchema.properties, filter: filterReference },
});

export type RecallBody = FromSchema<typeof recallSchema>;
export const checkRecall: Check<RecallBody> = makeCheck(recallSchema, {
  between: value => [...windowFaults('body', value), ...filterBodyFaults(value)],
  shorten: value => shortenMember(value, 'kinds', recallSchema.properties.kinds.maxItems),
});

const recalled = component(
  'Recalled',
  object(
    {
      hits: object({
        turns: list(reference(turnHit)),
        observations: list(reference(observationHit)),
        entities: list(reference(entityHit)),
      }),
      confidence: {
        type: 'number',
        minimum: 0,
        maximum: 1,
        description:
          'The probability that what was found contains what the query asks for, whether or not hits are returned; 0 when nothing was found.',
      },
      timeline: {
        ...nullableString,
        description:
          'Lines in chronological order, each with its date (UTC), within 400 tokens; null without hits or when not requested.',
      },
      context: {
        ...nullableString,
        description:
          'What holds now, facts that bear on the question first, then what was said in chronological order, each line with date and speaker, quoted, each thing once, within context_max_tokens; null when nothing was found or fits, or when not requested.',
      },
      mode: { type: 'string', enum: ['active', 'deep'] },
      freshness: reference(freshness),
      usage: reference(usage),
    },
    {
      degraded: {
        type: 'array',
        items: { type: 'string', enum: MODEL_NAMES },
        description:
          'Which of the configured models took no part in the ranking, since they did not answer in time, or were busy: a repetition may have other hits. Missing where all of them did.',
      },
      receipt_id: { type: 'string', description: 'Where receipt was true: the id for GET /recalls/{id}.' },
    },
  ),
);
export type RecallAnswer = FromSchema<typeof recalled.schema>;

export const recallOperations = {
  recall: guarded({
    method: 'post',
    path: '/recall',
    summary: 'Find what was said',
    description:
      'One ranking of turns, observations and entities, split by kind. The mode deep does more work and finds what a single pass misses.',
    tag: 'Memory',
    ...RIGHTS.recall,
    request: body(recall, checkRecall, { scope: { org_id: 'local' }, q: 'Where does Ada live?' }),
    answer: json(200, 'Hits, best first.', recalled, {
      hits: { turns: [turnHitExample], observations: [], entities: [entityHitExample] },
      confidence: 0.94,
      timeline: null,
      context: null,
      mode: 'active',
      freshness: freshnessExample,
      usage: { tokens_in: 6, tokens_out: 17 },
    }),
    statuses: [429, 503],
  }),
};
