/** The deletion of the caller's organization: asked for, confirmed a day later, and taken back until then. */
import { type Check, makeCheck } from '../ajv.ts';
import type { FromSchema } from '../from-schema.ts';
import { body, guarded, json } from './operation.ts';
import { component, object, string } from './parts/parts.ts';
import { RIGHTS } from './rights.ts';

const named = component('NamedOrganization', {
  type: 'object',
  required: ['org_id'],
  additionalProperties: false,
  properties: { org_id: { type: 'string', description: "The id of the caller's organization." } },
});
const checkNamed: Check<FromSchema<typeof named.schema>> = makeCheck(named.schema);

const instantOrNull = { type: ['string', 'null'], format: 'date-time' } as const;
const deletion = component(
  'OrganizationDeletion',
  object({
    state: {
      type: 'string',
      enum: ['none', 'asked', 'confirmed'],
      description: 'none: nobody has asked, or it was taken back, or not confirmed in time.',
    },
    org_id: string,
    asked_at: instantOrNull,
    confirm_from: {
      ...instantOrNull,
      description:
        'When it can be confirmed at the earliest: later, if the service has not run all the time.',
    },
    confirm_until: { ...instantOrNull, description: 'From then on it has to be asked for again.' },
  }),
);
export type DeletionAnswer = FromSchema<typeof deletion.schema>;

const asked: DeletionAnswer = {
  state: 'asked',
  org_id: 'acme',
  asked_at: '2026-03-09T09:30:00.000Z',
  confirm_from: '2026-03-10T09:30:00.000Z',
  confirm_until: '2026-03-17T09:30:00.000Z',
};
const none: DeletionAnswer = {
  state: 'none',
  org_id: 'acme',
  asked_at: null,
  confirm_from: null,
  confirm_until: null,
};

export const deletionOperations = {
  deletion: guarded({
    method: 'get',
    path: '/me/deletion',
    summary: "Get the state of the organization's deletion",
    tag: 'Accounts',
    ...RIGHTS.deletion,
    answer: json(200, 'Whether somebody has asked for it, and when it can be confirmed.', deletion, asked),
    statuses: [404, 503],
  }),
  askDeletion: guarded({
    method: 'put',
    path: '/me/deletion',
    summary: 'Ask for the deletion of the organization',
    description:
      'Changes nothing but this state. It can be confirmed a day later, within a week from then, and taken back until it is confirmed. Asking again while it is asked for postpones nothing.',
    tag: 'Accounts',
    ...RIGHTS.askDeletion,
    request: body(named, checkNamed, { org_id: 'acme' }),
    answer: json(200, 'When it can be confirmed.', deletion, asked),
    statuses: [404, 409, 503],
  }),
  confirmDeletion: guarded({
    method: 'post',
    path: '/me/deletion/confirmation',
    summary: 'Confirm the deletion of the organization',
    description:
      'It can not be undone. From the answer on every key and token of the organization is refused (403), also that of this call, and everything that the organization stored is erased in the background. Billed usage and the audit log stay. Its id is not given again. 409: nobody has asked for it, it is too early, or too late.',
    tag: 'Accounts',
    ...RIGHTS.confirmDeletion,
    request: body(named, checkNamed, { org_id: 'acme' }),
    answer: json(200, 'It is deleted.', deletion, { ...asked, state: 'confirmed' }),
    statuses: [404, 409, 503],
  }),
  withdrawDeletion: guarded({
    method: 'delete',
    path: '/me/deletion',
    summary: 'Take the deletion of the organization back',
    description: 'Until it is confirmed. Where nobody has asked for it, nothing changes.',
    tag: 'Accounts',
    ...RIGHTS.withdrawDeletion,
    answer: json(200, 'Nobody asks for it any more.', deletion, none),
    statuses: [404, 503],
  }),
};
