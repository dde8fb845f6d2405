import type { AccountEvent } from '../../../schemas/events/accounts.ts';

/** Who asked: request by request, or an operator. */
export interface AccountContext {
  correlationId: string;
}

type DataOf<Type extends AccountEvent['type']> = Extract<AccountEvent, { type: Type }>['data'];

/**
 * An event of the type that happens once for `subject` (a key, a token, an organization): its id is made of both,
 * so that of two racing instances one records it and the other meets a conflict.
 */
export const accountEvent = <Type extends AccountEvent['type']>(
  type: Type,
  subject: string,
  about: { org: string; now: number; context: AccountContext },
  data: DataOf<Type>,
): AccountEvent =>
  ({
    id: `${type}:${subject}`,
    type,
    version: 1,
    org_id: about.org,
    recorded_at: new Date(about.now).toISOString(),
    correlation_id: about.context.correlationId,
    data,
  }) as AccountEvent;
