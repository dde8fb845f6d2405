import type { RecallMetered } from '../../../schemas/events/usage.ts';

/**
 * Returns only what the recall billed and what is counted of it: its receipt names turns and a key of the installation that wrote it,
 * whom it searched is a digest, and both mean nothing to another installation.
 */
export const billedOf = ({
  user_id,
  tokens_in,
  tokens_out,
  took_ms,
  confidence,
}: RecallMetered): RecallMetered => ({
  user_id,
  tokens_in,
  tokens_out,
  ...(took_ms !== undefined && { took_ms }),
  ...(confidence !== undefined && { confidence }),
});

export const withoutReceipt = <Event extends { type: string; data: unknown }>(event: Event): Event =>
  event.type === 'recall.metered' ? { ...event, data: billedOf(event.data as RecallMetered) } : event;
