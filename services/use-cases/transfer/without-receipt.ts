import type { Event } from '../../../core/log/events.ts';
import type { RecallMetered } from '../../../schemas/events/usage.ts';

/** What a recall billed: a receipt names turns and a key of the installation that wrote it, and means nothing to another. */
export const billedOf = ({ user_id, tokens_in, tokens_out }: RecallMetered): RecallMetered => ({
  user_id,
  tokens_in,
  tokens_out,
});

export const withoutReceipt = (event: Event): Event =>
  event.type === 'recall.metered' ? { ...event, data: billedOf(event.data as RecallMetered) } : event;
