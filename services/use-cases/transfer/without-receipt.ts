import type { RecallMetered } from '../../../schemas/events/usage.ts';

/**
 * Returns only what the recall billed: its receipt names turns and a key of the installation that wrote it,
 * and means nothing to another installation.
 */
export const billedOf = ({ user_id, tokens_in, tokens_out }: RecallMetered): RecallMetered => ({
  user_id,
  tokens_in,
  tokens_out,
});

export const withoutReceipt = <Event extends { type: string; data: unknown }>(event: Event): Event =>
  event.type === 'recall.metered' ? { ...event, data: billedOf(event.data as RecallMetered) } : event;
