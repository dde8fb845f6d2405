import type { NamedScope } from '../schemas/http/erasure.ts';
import { ServiceError } from './errors.ts';
import type { Scope } from './ports.ts';
import type { Principal } from './use-cases.ts';

/** The contract's session for turns without one. */
const DEFAULT_SESSION = 'default-session';

/** Whether the principal may name any user of its organization. */
export const seesAll = (principal: Principal): boolean => principal.roles.includes('*') && !principal.strict;

/** Whether the principal may be told what is stored. */
export const mayRead = ({ roles }: Pick<Principal, 'roles'>): boolean =>
  roles.includes('*') || roles.includes('memory:read');

/**
 * Returns the session that the principal is bound to; undefined when it may name any of its users' sessions.
 */
export const boundSession = ({ strict, sessionId }: Principal): string | undefined =>
  strict ? sessionId : undefined;

/** Returns the user that a body names. Throws `forbidden` when the principal may not name it. */
const namedUser = (principal: Principal, user: string | undefined): string | undefined => {
  if (user !== undefined && user !== principal.userId && !seesAll(principal)) {
    throw new ServiceError('forbidden', 'This credential may only name its own user.');
  }
  return user;
};

/**
 * Returns the session that a body names or, without one, the key's. Throws `forbidden` when the principal may
 * not name it.
 */
const namedSession = (principal: Principal, session: string | undefined): string | undefined => {
  if (session !== undefined && (boundSession(principal) ?? session) !== session) {
    throw new ServiceError('forbidden', 'This credential may only name its own session.');
  }
  return session ?? principal.sessionId;
};

interface BodyScope {
  user_id?: string;
  session_id?: string;
}

/** Returns the scope of a write. The organization is always the token's. */
export const writeScope = (
  principal: Principal,
  scope: BodyScope,
): { org: string; user: string; session: string } => ({
  org: principal.orgId,
  user: namedUser(principal, scope.user_id) ?? principal.userId,
  session: namedSession(principal, scope.session_id) ?? DEFAULT_SESSION,
});

const noUser = (loc: string[]): ServiceError =>
  new ServiceError('invalid', 'The request breaks a rule.', {
    details: {
      errors: [{ loc, type: 'missing', message: 'is required for a credential that may name any' }],
    },
  });

/**
 * Returns the scope to erase. A principal that may name any user must name one; all others erase their own
 * partition.
 */
export const eraseScope = (
  principal: Principal,
  { form, ...scope }: NamedScope,
): { org: string; user: string; session: string | undefined } => {
  const user = namedUser(principal, scope.user_id) ?? (seesAll(principal) ? undefined : principal.userId);
  if (user === undefined) {
    const loc = form === 'query' ? ['query', 'user_id'] : ['body', 'scope', 'user_id'];
    throw noUser(loc);
  }
  return { org: principal.orgId, user, session: namedSession(principal, scope.session_id) };
};

/**
 * Returns the scope of a call that needs one user. Throws `invalid` when the principal may name any user and
 * names none.
 */
export const ownScope = (
  principal: Principal,
  { user_id }: BodyScope,
  scope: Scope,
): Scope & { user: string } => {
  const user = user_id ?? (seesAll(principal) ? undefined : principal.userId);
  if (user === undefined) throw noUser(['query', 'user_id']);
  return { ...scope, user };
};

/**
 * Returns the scope of a recall: without a user everything that the principal may see, without a session all
 * sessions.
 */
export const readScope = (principal: Principal, scope: BodyScope): Scope => ({
  org: principal.orgId,
  user: namedUser(principal, scope.user_id) ?? (seesAll(principal) ? undefined : principal.userId),
  session: namedSession(principal, scope.session_id),
});
