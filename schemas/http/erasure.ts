/** Erasure of a user or of a session. */
import { type Check, makeCheck } from '../ajv.ts';
import type { FromSchema } from '../from-schema.ts';
import { body, guarded, json } from './operation.ts';
import { scope } from './parts/examples.ts';
import { component, count, id, instant, object } from './parts/parts.ts';
import { scopeSchema } from './parts/scope-schema.ts';
import { query } from './queries/query-schema.ts';
import { RIGHTS } from './rights.ts';

/** The names of a scope, and the part of the request that contains them. */
export interface NamedScope {
  form: 'body' | 'query';
  user_id?: string | undefined;
  session_id?: string | undefined;
}

const erasedUser = {
  ...id,
  description:
    "The user to erase. Required for a token that may name any user; for others the default is the token's user.",
} as const;
const erasedSession = {
  ...id,
  description:
    "Only this session. Default: the token's session_id claim; without one, all of the user's sessions.",
} as const;

/** No other members are permitted: a misspelled name must not erase more than intended. */
const erase = component('Erase', {
  type: 'object',
  required: ['scope'],
  additionalProperties: false,
  properties: {
    scope: {
      type: 'object',
      required: ['org_id'],
      additionalProperties: false,
      properties: { org_id: scopeSchema.properties.org_id, user_id: erasedUser, session_id: erasedSession },
    },
  },
});
const checkErase: Check<FromSchema<typeof erase.schema>> = makeCheck(erase.schema);

const eraseQuery = query({ user_id: erasedUser, session_id: erasedSession }, { strict: true });

const erased = component(
  'Erased',
  object({
    erased: {
      ...object({ turns: count, observations: count, entities: count, sessions: count }),
      description: 'Counts at the time the erasure began; entities: those mentioned in its turns.',
    },
    erased_at: instant,
    receipt: {
      type: 'string',
      description:
        "A JWS (RFC 7515) over scope, erased and erased_at; jti is the id of the erasure's event in the log.",
    },
  }),
);
export type ErasureAnswer = FromSchema<typeof erased.schema>;

export const erasureOperations = {
  erase: guarded({
    method: 'delete',
    path: '/memory',
    summary: 'Erase a user or a session',
    description:
      'Destroys the keys that seal the scope, which makes its text unreadable in the log and in backups, and removes the scope from every answer. Name the scope in the body or in the query. Billed usage stays. An erasure cannot be undone; repeating it does no harm.',
    tag: 'Memory',
    ...RIGHTS.erase,
    request: { ...body(erase, checkErase, { scope }), optional: true },
    query: eraseQuery,
    answer: json(200, 'Erased; with a receipt, signed by a key of /.well-known/jwks.json.', erased, {
      erased: { turns: 3, observations: 2, entities: 6, sessions: 1 },
      erased_at: '2026-03-09T09:30:00.000Z',
      receipt: 'eyJ…',
    }),
    statuses: [503],
  }),
};
