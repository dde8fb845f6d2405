/** The API keys of an organization. */
import { RANGE_LENGTH } from '../address-range.ts';
import { type Check, makeCheck } from '../ajv.ts';
import type { FromSchema } from '../from-schema.ts';
import { body, guarded, json } from './operation.ts';
import {
  component,
  id,
  instant,
  list,
  nullableString,
  object,
  reference,
  shown,
  string,
  text,
} from './parts/parts.ts';
import { ROLES } from './parts/roles.ts';
import { shortenMember } from './parts/shorten.ts';
import { RIGHTS } from './rights.ts';

// ---- request

const createKey = component('CreateApiKey', {
  type: 'object',
  required: ['name'],
  properties: {
    name: shown(1, 128),
    roles: {
      type: 'array',
      minItems: 1,
      maxItems: 16,
      items: { type: 'string', enum: ROLES },
      description: "Default: the creator's roles. Naming a role that the creator lacks is a 403.",
    },
    user_id: { ...id, description: "The user of calls that name none. Default: the creator's user." },
    session_id: {
      ...id,
      description: 'The session of calls that name none. Default: none; for a strict creator, its session.',
    },
    expires_at: {
      ...instant,
      description:
        "Until when it works, in the future; then it and its tokens are a 401. Default: the creator's. A later one than the creator's is a 403.",
    },
    addresses: {
      type: 'array',
      minItems: 1,
      maxItems: 32,
      items: { ...text(1, RANGE_LENGTH), 'x-range': true },
      description:
        "The client addresses that it works from, IPv4 or IPv6, alone or as ranges (192.0.2.0/24); from any other it and its tokens are a 403. Default: the creator's. Any that is not among the creator's is a 403.",
    },
    strict: {
      type: 'boolean',
      description:
        "Whether user and session are bounds instead of defaults: another user or session, and what covers the organization, is then a 403, with the role * too. A strict key creates only strict keys of its own user and session. Default: the creator's.",
    },
  },
});
export type CreateKeyBody = FromSchema<typeof createKey.schema>;
export const checkCreateKey: Check<CreateKeyBody> = makeCheck(createKey.schema, {
  shorten: value => shortenMember(value, 'roles', createKey.schema.properties.roles.maxItems),
});

/** How long a rotated key still works by default: a day. */
export const GRACE_SECONDS = 86_400;

const rotateKey = component('RotateApiKey', {
  type: 'object',
  properties: {
    grace_seconds: {
      type: 'integer',
      minimum: 0,
      maximum: 604_800,
      default: GRACE_SECONDS,
      description: 'How long the former key still works, unless it expires sooner; 0: it is revoked at once.',
    },
  },
});
export type RotateKeyBody = FromSchema<typeof rotateKey.schema>;
const checkRotateKey = makeCheck<RotateKeyBody>(rotateKey.schema);

// ---- answers

export const shownOnce = { type: 'string', description: 'Shown only now.' } as const;

export const keyMembers = {
  id: string,
  name: string,
  prefix: { type: 'string', description: 'The public prefix of the key.' },
  roles: list(string),
  user_id: string,
  session_id: nullableString,
  strict: {
    type: 'boolean',
    description: 'Whether the key can not leave its user and session; otherwise they are defaults.',
  },
  expires_at: { ...instant, type: ['string', 'null'], description: 'Null: it does not expire.' },
  addresses: {
    type: ['array', 'null'],
    items: string,
    description: 'The addresses and ranges that it works from; null: any.',
  },
  created_at: instant,
  last_used_at: {
    type: ['string', 'null'],
    description: 'Accurate to a minute, unless very many keys are in use.',
  },
} as const;

const apiKey = component('ApiKey', object(keyMembers));
const apiKeys = component('ApiKeys', object({ api_keys: list(reference(apiKey)) }));
const newApiKey = component('NewApiKey', object({ ...keyMembers, api_key: shownOnce }));

export type KeyAnswer = FromSchema<typeof apiKey.schema>;
export type NewKeyAnswer = FromSchema<typeof newApiKey.schema>;

const key: KeyAnswer = {
  id: '3a34f8c3bba037b0',
  name: 'reader',
  prefix: 'ts_3a34f8c3bba037b0',
  roles: ['memory:read'],
  user_id: 'owner',
  session_id: null,
  strict: false,
  expires_at: null,
  addresses: null,
  created_at: '2026-03-09T09:30:00.000Z',
  last_used_at: null,
};

// ---- endpoints

export const apiKeyOperations = {
  listApiKeys: guarded({
    method: 'get',
    path: '/me/api-keys',
    summary: 'List API keys',
    description: "All of the organization's with *; of the caller's own user without.",
    tag: 'Accounts',
    ...RIGHTS.listApiKeys,
    answer: json(
      200,
      'Oldest first. Revoked keys are left out, expired ones a week after they expired.',
      apiKeys,
      { api_keys: [key] },
    ),
    statuses: [503],
  }),
  createApiKey: guarded({
    method: 'post',
    path: '/me/api-keys',
    summary: 'Create an API key',
    description:
      "An organization has at most as many keys as the configuration says (409, by default 1,000; expired ones don't count), and makes at most as many a day (429). A key for another user needs *.",
    tag: 'Accounts',
    ...RIGHTS.createApiKey,
    request: body(createKey, checkCreateKey, { name: 'reader', roles: ['memory:read'] }),
    answer: json(201, 'The key; its secret is shown only now.', newApiKey, { ...key, api_key: 'ts_…' }),
    statuses: [409, 503],
  }),
  rotateApiKey: guarded({
    method: 'post',
    path: '/me/api-keys/{id}/rotate',
    summary: 'Rotate an API key',
    description:
      "Makes a key with the rights of another one, its name, its end and its addresses; the former works for a grace period beside it, and then it is expired. Tokens of the former key end with it. A key with a role that the caller lacks is a 403, and so is one that works longer, or from other addresses, than the caller's own. Without *, keys of other users are a 404. A key that was rotated already is a 409; so is one beyond the organization's number of keys, of which a rotation may have one more. Makes count as keys made that day (429).",
    tag: 'Accounts',
    ...RIGHTS.rotateApiKey,
    request: { ...body(rotateKey, checkRotateKey, { grace_seconds: 3_600 }), optional: true },
    answer: json(201, 'The new key; its secret is shown only now.', newApiKey, { ...key, api_key: 'ts_…' }),
    statuses: [404, 409, 503],
  }),
  revokeApiKey: guarded({
    method: 'delete',
    path: '/me/api-keys/{id}',
    summary: 'Revoke an API key',
    description:
      'Tokens issued for it are refused from then on. After 7 days, when the last one has expired, the key is unknown. A key with a role that the caller lacks is a 403. Without *, keys of other users are a 404.',
    tag: 'Accounts',
    ...RIGHTS.revokeApiKey,
    answer: { status: 204, description: 'Revoked.' },
    statuses: [404, 503],
  }),
};
