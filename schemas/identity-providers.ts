/** The file of identity providers: who may vouch for people and programs, and for what. */
import { makeCheck } from './ajv.ts';
import type { FromSchema } from './from-schema.ts';
import { list, object, text } from './http/parts/parts.ts';
import { ROLES } from './http/parts/roles.ts';

const claim = text(1, 256);
const role = { type: 'string', enum: ROLES } as const;
/** A value, or the claim that has it. */
const valueOrClaim = { anyOf: [claim, object({ claim })] } as const;

const provider = {
  ...object(
    {
      id: { ...text(1, 32), pattern: '^[a-z0-9-]+$', 'x-rule': 'must be lower-case letters, digits and -' },
      issuer: {
        ...text(1, 1_024),
        pattern: '^https://|^http://(localhost|127\\.0\\.0\\.1|\\[::1\\])([:/]|$)',
        'x-rule': 'must be an https URL (http on this machine alone)',
      },
      organization: valueOrClaim,
    },
    {
      /** As the console's button has it; default: its id. */
      name: text(1, 64),
      /** For programs: the audience that their tokens must be for. */
      audience: text(1, 256),
      /** For people: the client as which the service signs them in. */
      client_id: text(1, 256),
      client_secret_file: text(1, 4_096),
      scope: text(1, 256),
      user: object({ claim }),
      strict: { type: 'boolean' },
      roles: list(role),
      roles_of: object({ claim, roles: { type: 'object', additionalProperties: list(role) } }),
    },
  ),
  additionalProperties: false,
} as const;

const file = { ...list(provider), minItems: 1, maxItems: 32 } as const;

type Claimed = string | { claim: string };

/** An issuer whose signed statements about people and programs are believed. */
export type IdentityProvider = Omit<FromSchema<typeof provider>, 'organization' | 'roles_of'> & {
  organization: Claimed;
  /** Roles by the values of a claim; those of `roles` are everybody's. */
  roles_of?: { claim: string; roles: Record<string, (typeof ROLES)[number][]> };
};

const check = makeCheck<IdentityProvider[]>(file);

const faultsOf = (providers: readonly IdentityProvider[]): string[] => {
  const ids = providers.map(({ id }) => id);
  return providers.flatMap((each, at) => [
    ...(ids.indexOf(each.id) === at ? [] : [`${each.id}: another provider has this id`]),
    ...(each.audience === undefined && each.client_id === undefined
      ? [`${each.id}: needs client_id, for people, or audience, for programs`]
      : []),
    ...(each.roles === undefined && each.roles_of === undefined
      ? [`${each.id}: needs roles or roles_of, or nobody may do anything`]
      : []),
  ]);
};

/** Returns the providers of a file's text; throws a `RangeError` with every fault. */
export const parseIdentityProviders = (content: string): IdentityProvider[] => {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    throw new RangeError('a readable file with a JSON array of providers (it is not JSON)');
  }
  const checked = check(value);
  const faults = checked.ok
    ? faultsOf(checked.value)
    : checked.errors.map(({ loc, message }) => `${loc.slice(1).join('.')} ${message}`);
  if (!checked.ok || faults.length > 0)
    throw new RangeError(`a file of identity providers without faults (${faults.join('; ')})`);
  return checked.value;
};
