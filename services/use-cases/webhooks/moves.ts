import { randomUUID } from 'node:crypto';
import type { AccountStore } from '../../../core/ports.ts';
import type { WebhookDocument } from '../../../projections/accounts/webhooks.ts';
import type { WebhookMoved } from '../../../schemas/events/webhooks.ts';
import { accountEvent } from '../accounts/account-events.ts';

/** The changes of a move; everything else stays. */
export type Change = Partial<Omit<WebhookMoved, 'webhook_id' | 'number'>>;

export interface MovePorts {
  store: Pick<AccountStore, 'record'>;
  /** Unix milliseconds. */
  clock: () => number;
}

/**
 * Records a webhook's next move. Returns false where another process has moved it: what this one believes of
 * it is old.
 */
export const recordMove = async (
  { store, clock }: MovePorts,
  webhook: WebhookDocument,
  change: Change,
  correlationId: string = randomUUID(),
): Promise<boolean> => {
  const { webhook_id, key_id, position, quota, failing_since, paused } = webhook;
  const number = webhook.number + 1;
  const about = { org: webhook.org_id, now: clock(), context: { correlationId } };
  const data = { key_id, position, told: [], quota, failing_since, paused, ...change };
  const event = accountEvent('webhook.moved', `${webhook_id}:${number}`, about, {
    ...data,
    webhook_id,
    number,
  });
  return (await store.record(event)) === 'recorded';
};
