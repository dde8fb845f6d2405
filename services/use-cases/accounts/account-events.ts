import type { AccountEvent } from '../../../schemas/events/accounts.ts';
import { registry } from '../../../schemas/events/registry.ts';

/** The request or operator call that an event comes from. */
export interface AccountContext {
  correlationId: string;
}

type EventOf<Type extends AccountEvent['type']> = Extract<AccountEvent, { type: Type }>;

/**
 * An event that happens once per type and `subject` (a key, a token, an organization): its id is derived from
 * both, so that of two racing instances one records it and the other gets a conflict.
 */
export const accountEvent = <Type extends AccountEvent['type']>(
  type: Type,
  subject: string,
  about: { org: string; now: number; context: AccountContext },
  data: EventOf<Type>['data'],
): EventOf<Type> =>
  ({
    id: `${type}:${subject}`,
    type,
    version: registry.currentVersion(type),
    org_id: about.org,
    recorded_at: new Date(about.now).toISOString(),
    correlation_id: about.context.correlationId,
    data,
  }) as EventOf<Type>;
