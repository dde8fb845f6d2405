import { ServiceError } from '../../../../core/errors.ts';
import type { IdentityProvider } from '../../../../schemas/identity-providers.ts';

/** The rights of a verified identity here. */
export interface Grant {
  orgId: string;
  userId: string;
  roles: string[];
  strict: boolean;
  /** Its name at its provider. */
  subject: string;
}

type Claims = Readonly<Record<string, unknown>>;

/** The longest name of a user or an organization. */
const MOST_CHARACTERS = 256;

/** A claim by its name, or by its path with dots: `realm_access.roles`. */
const claimed = (claims: Claims, name: string): unknown =>
  Object.hasOwn(claims, name)
    ? claims[name]
    : name
        .split('.')
        .reduce<unknown>(
          (value, part) =>
            typeof value === 'object' && value !== null && Object.hasOwn(value, part)
              ? (value as Claims)[part]
              : undefined,
          claims,
        );

const forbidden = (message: string): ServiceError => new ServiceError('forbidden', message);

const textOf = (claims: Claims, name: string): string => {
  const value = claimed(claims, name);
  if (typeof value === 'string' && value !== '' && value.length <= MOST_CHARACTERS && value.isWellFormed())
    return value;
  throw forbidden(`The identity has no usable claim ${name}.`);
};

const rolesOf = ({ roles = [], roles_of: by }: IdentityProvider, claims: Claims): string[] => {
  if (!by) return [...roles];
  const value = claimed(claims, by.claim);
  const values = (Array.isArray(value) ? value : [value]).filter(each => typeof each === 'string');
  const own = values.flatMap(each => (Object.hasOwn(by.roles, each) ? by.roles[each]! : []));
  return [...new Set([...roles, ...own])];
};

/**
 * Returns the rights of an identity by the rules of its provider; throws `forbidden` for one that has no
 * organization, no user or no role here. Pure.
 *
 * @param claims verified by the provider's keys
 */
export const grantOf = (provider: IdentityProvider, claims: Claims): Grant => {
  const { organization, user, strict = false } = provider;
  const roles = rolesOf(provider, claims);
  if (roles.length === 0) throw forbidden('The identity has no role here.');
  return {
    orgId: typeof organization === 'string' ? organization : textOf(claims, organization.claim),
    userId: textOf(claims, user?.claim ?? 'sub'),
    roles,
    strict,
    subject: textOf(claims, 'sub'),
  };
};
