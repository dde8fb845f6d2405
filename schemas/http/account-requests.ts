/** Bodies of the token and account endpoints. For the rule on faults see requests.ts. */
import { type Check, makeCheck } from '../ajv.ts';
import { shortenMember } from './shorten.ts';
import { id, text } from './text.ts';

export const ROLES = ['*', 'memory:write', 'memory:read', 'usage:read', 'keys:manage'] as const;
export type Role = (typeof ROLES)[number];

export interface ExchangeBody {
  api_key: string;
}

const credential = { type: 'string', 'x-unicode': true } as const;

export const exchangeSchema = {
  type: 'object',
  required: ['api_key'],
  properties: { api_key: credential },
} as const;

export const checkExchange: Check<ExchangeBody> = makeCheck(exchangeSchema);

export interface RefreshBody {
  refresh_token: string;
}

export const refreshSchema = {
  type: 'object',
  required: ['refresh_token'],
  properties: { refresh_token: credential },
} as const;

export const checkRefresh: Check<RefreshBody> = makeCheck(refreshSchema);

export interface SignUpBody {
  org_id: string;
  name?: string;
  email?: string;
}

export const signUpSchema = {
  type: 'object',
  required: ['org_id'],
  properties: {
    org_id: {
      type: 'string',
      pattern: '^[a-z0-9][a-z0-9_-]{1,62}$',
      'x-rule':
        'must have 2 to 63 lower-case letters, digits, hyphens or underscores and begin with a letter or digit',
    },
    name: text(1, 128),
    email: {
      ...text(3, 254),
      pattern: '^[^@\\s]+@[^@\\s]+$',
      'x-rule': 'must be an e-mail address',
    },
  },
} as const;

export const checkSignUp: Check<SignUpBody> = makeCheck(signUpSchema);

export interface CreateKeyBody {
  name: string;
  /** Default: the creator's roles. */
  roles?: Role[];
  user_id?: string;
  session_id?: string;
}

export const createKeySchema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: text(1, 128),
    roles: {
      type: 'array',
      minItems: 1,
      maxItems: 16,
      items: { type: 'string', enum: ROLES },
      description: "Default: the creator's roles. Naming a role that the creator lacks is a 403.",
    },
    user_id: { ...id, description: "The user_id claim of the key's tokens. Default: the creator's user." },
    session_id: { ...id, description: "The session_id claim of the key's tokens. Default: none." },
  },
} as const;

export const checkCreateKey: Check<CreateKeyBody> = makeCheck(createKeySchema, {
  shorten: body => shortenMember(body, 'roles', createKeySchema.properties.roles.maxItems),
});
