/** The rights that a webhook needs, and whose it has. */
import { ServiceError } from '../../../core/errors.ts';
import { readScope, seesAll } from '../../../core/scope.ts';
import type { Principal } from '../../../core/use-cases.ts';
import type { ApiKeyDocument } from '../../../projections/accounts/accounts-projection.ts';
import type { WebhookDocument } from '../../../projections/accounts/webhooks.ts';
import type { WebhookEvent } from '../../../schemas/webhooks.ts';
import { holds } from '../accounts/keys/keys.ts';
import { isExpired } from '../accounts/keys/usable.ts';

/** Words need the right to read them, and so do the names of those that were erased. */
const NEEDS: Record<WebhookEvent, string> = {
  turn: 'memory:read',
  fact: 'memory:read',
  erased: 'memory:read',
  quota: 'usage:read',
};

const forbidden = (message: string): ServiceError => new ServiceError('forbidden', message);

/** Throws `forbidden` where the caller may not have a webhook of these events, or of this user. */
export const assertMay = (caller: Principal, events: readonly WebhookEvent[], user: string | null): void => {
  for (const event of events)
    if (!holds(caller.roles, NEEDS[event]))
      throw forbidden(`A webhook of the event ${event} needs the role ${NEEDS[event]}.`);
  // Usage is the organization's, which a strict key may not reach.
  if (caller.strict && events.includes('quota'))
    throw forbidden('A strict key can not have a webhook of the event quota.');
  if (user === null && !seesAll(caller)) throw forbidden('This credential may only name its own user.');
};

/** Returns the user whose webhook a caller makes; null: everybody's. Throws `forbidden`. */
export const userOf = (caller: Principal, named: string | undefined): string | null =>
  readScope(caller, named === undefined ? {} : { user_id: named }).user ?? null;

/** Whether the caller handles a webhook: those of its own user alone, unless it may name any. */
export const handles = (caller: Principal, webhook: WebhookDocument): boolean =>
  webhook.org_id === caller.orgId && (seesAll(caller) || webhook.user_id === caller.userId);

/** Whether the key that a webhook acts for still works. A revoked one is unknown after a while. */
export const isKeyAlive = (key: ApiKeyDocument | undefined, now: number): boolean =>
  key !== undefined && key.revoked_at === null && !isExpired(key, now);
