/** Corrections of names: what an entity is called, which names are one, and the titles of sessions. */
import { type Check, makeCheck } from '../ajv.ts';
import type { FromSchema } from '../from-schema.ts';
import { entityItem, sessionItem, userDetails } from './items.ts';
import { body, guarded, json } from './operation.ts';
import { ENTITY_ID } from './parts/examples.ts';
import type { Fault } from './parts/faults.ts';
import { component, id, shown, text } from './parts/parts.ts';
import { query } from './queries/query-schema.ts';
import { RIGHTS } from './rights.ts';

/** Names that one call sets apart. */
const MOST_SPLIT = 64;
const TITLE_LENGTH = 256;
/** A person has a few: a name, a nickname, a handle, in two scripts. */
const MOST_OWN_NAMES = 32;

const user = {
  ...id,
  description: "Whose it is. Default: the token's user; required where a token may name any.",
} as const;
const namesQuery = query({ user_id: user });

const correctEntitySchema = {
  type: 'object',
  properties: {
    label: {
      ...shown(1, 256),
      description:
        'Shown from now on, wherever the entity is: in lists, as the subject of facts, in recalls.',
    },
    merge_into: {
      ...text(1, 256),
      description:
        "Another entity's id of the same user: from now on both are one, listed under that one, whatever their kinds.",
    },
    split: {
      type: 'array',
      minItems: 1,
      maxItems: MOST_SPLIT,
      items: {
        ...text(1, 256),
        type: ['string', 'object'],
        required: ['session_id'],
        properties: {
          session_id: { ...id, description: "A session in which the name is somebody else's." },
          label: {
            ...shown(1, 256),
            description: 'What that one is called. Default: the label with the session, "Alex (work)".',
          },
        },
      },
      description:
        "Either ids of names of this entity (its aliases) that are somebody else's: from now on they stand apart, and no rule merges them with this entity again. Or sessions in which its name is another person's, all of them one person: two people of one name are told apart by what they were spoken of in.",
    },
  },
} as const;
const correctEntity = component('CorrectEntity', {
  ...correctEntitySchema,
  minProperties: 1,
} as const);
export type CorrectEntity = FromSchema<typeof correctEntitySchema>;

const correctionFaults = (value: unknown): Fault[] => {
  const { label, merge_into, split } = Object(value) as CorrectEntity;
  const fault = (loc: Fault['loc'], type: string, message: string): Fault[] => [
    { form: false, loc, type, message },
  ];
  if (merge_into !== undefined && split !== undefined)
    return fault(['body', 'split'], 'contradiction', 'must not be given together with merge_into');
  if (Array.isArray(split) && new Set(split.map(one => typeof one)).size > 1)
    return fault(['body', 'split'], 'contradiction', 'must be ids alone, or sessions alone');
  const blank = (Array.isArray(split) ? split : []).flatMap((one, at) => {
    const { label: said } = Object(one) as { label?: unknown };
    return typeof said === 'string' && said.trim() === ''
      ? fault(['body', 'split', at, 'label'], 'too_short', 'must have a visible character')
      : [];
  });
  if (blank.length > 0) return blank;
  return label === undefined && merge_into === undefined && split === undefined
    ? fault(['body'], 'too_short', 'must have label, merge_into or split')
    : [];
};
const checkCorrectEntity: Check<CorrectEntity> = makeCheck(correctEntitySchema, {
  between: correctionFaults,
});

const titleSession = component('TitleSession', {
  type: 'object',
  required: ['title'],
  properties: {
    title: {
      ...shown(0, TITLE_LENGTH),
      type: ['string', 'null'],
      description: `At most ${TITLE_LENGTH} characters; null or an empty one removes it.`,
    },
  },
} as const);
export type TitleSession = FromSchema<typeof titleSession.schema>;
const checkTitleSession: Check<TitleSession> = makeCheck(titleSession.schema);

const nameUser = component('NameUser', {
  type: 'object',
  required: ['names'],
  properties: {
    names: {
      type: 'array',
      maxItems: MOST_OWN_NAMES,
      items: shown(1, 256),
      description: 'All of them, in place of those set before; the first is shown. Empty: none any more.',
    },
  },
} as const);
export type NameUser = FromSchema<typeof nameUser.schema>;

const blankNames = (value: unknown): Fault[] => {
  const { names } = Object(value) as { names?: unknown };
  return (Array.isArray(names) ? names : []).flatMap((name, at) =>
    typeof name === 'string' && name.trim() === ''
      ? [
          {
            form: false,
            loc: ['body', 'names', at],
            type: 'too_short',
            message: 'must have a visible character',
          },
        ]
      : [],
  );
};
const checkNameUser: Check<NameUser> = makeCheck(nameUser.schema, { between: blankNames });

const userExample = {
  user_id: 'ada',
  sessions: 4,
  turns: 120,
  last_at: '2026-03-08T21:14:00.000Z',
  names: ['Ada', 'Ada Lovelace'],
  suggested_names: [],
};

export const nameOperations = {
  readUser: guarded({
    method: 'get',
    path: '/memory/users/{id}',
    summary: 'Get a user',
    description:
      'One user: the counts of the list, the names that were set as the user\'s own (PUT), and, apart from them, those that the user gave: after "my name is Ada", Ada is suggested, and nothing is renamed.',
    tag: 'Memory',
    ...RIGHTS.readUser,
    answer: json(200, 'The user; without turns, the counts are 0.', userDetails, {
      ...userExample,
      suggested_names: ['Countess'],
    }),
    statuses: [404, 422, 503],
  }),
  nameUser: guarded({
    method: 'put',
    path: '/memory/users/{id}',
    summary: "Set a user's own names",
    description:
      "Says that the role user and these names are one subject, labelled by the first: facts that Ada says of herself and facts that the role user says are decided together, under one label, in lists and recalls. The names take the place of those set before; a name that is no longer listed stands apart again. It is kept like a correction of an entity: facts with as_of see the names set by then, and the user's erasure destroys them. Not billed: the organization has a number of titles and names a day (429).",
    tag: 'Memory',
    ...RIGHTS.nameUser,
    request: body(nameUser, checkNameUser, { names: ['Ada', 'Ada Lovelace'] }),
    answer: json(200, 'The user.', userDetails, userExample),
    statuses: [404, 422, 503],
  }),
  correctEntity: guarded({
    method: 'patch',
    path: '/memory/entities/{id}',
    summary: 'Correct an entity',
    description:
      "Renames an entity, merges it with another one, or sets names of it apart: other names, or the same name where another person is meant. It is undone by a later correction: a merge by a split, a split by a merge, a label by another one. Sent again, it changes nothing. An alias's id stands for its entity. Of a user's corrections the last 1,000 count; a recall and facts with as_of see those recorded by then. They are kept for the whole user, so a key that is strict for one session may not call it. A name counts, and is exported, for as long as a turn says it that is neither hidden nor expired nor erased; the words of corrections are destroyed with the user's erasure. Not billed: the organization has a number of titles and names a day (429).",
    tag: 'Memory',
    ...RIGHTS.correctEntity,
    query: namesQuery,
    request: body(correctEntity, checkCorrectEntity, {
      label: 'Melanie Price',
      split: ['ent_5b0e7a3c9d1f2e4a6b8c0d2e'],
    }),
    answer: json(200, 'The entity, as the list has it.', entityItem, {
      id: ENTITY_ID,
      user_id: 'ada',
      label: 'Melanie Price',
      kind: 'person',
      turns: 12,
      aliases: [],
    }),
    statuses: [404, 422, 503],
  }),
  titleSession: guarded({
    method: 'patch',
    path: '/memory/sessions/{id}',
    summary: 'Title a session',
    description:
      "Gives a session a title, which lists show, or takes it away. It is taken away when a turn or an observation of the session is hidden, is gone when all of the session has expired, and is sealed with the session's own key and destroyed with it. Not billed: the organization has a number of titles and names a day (429).",
    tag: 'Memory',
    ...RIGHTS.titleSession,
    query: namesQuery,
    request: body(titleSession, checkTitleSession, { title: 'The move to Lyon' }),
    answer: json(200, 'The session, as the list has it.', sessionItem, {
      user_id: 'ada',
      session_id: 'monday',
      title: 'The move to Lyon',
      turns: 31,
      first_at: '2026-01-05T09:30:00.000Z',
      last_at: '2026-01-05T10:02:00.000Z',
    }),
    statuses: [404, 422, 503],
  }),
};
