import type { RecallMetered } from '../../schemas/events/usage.ts';

/** The usage that one event bills. Rows are unique by `eventId`: the first wins. */
export interface UsageRow {
  eventId: string;
  org: string;
  /** UTC day of the event's `recorded_at`, YYYY-MM-DD. */
  day: string;
  tokensIn: number;
  tokensOut: number;
  /** The event's position in the log. */
  topic: string;
  partition: number;
  offset: number;
}

export interface BillableEvent {
  id: string;
  type: string;
  org_id: string;
  recorded_at: string;
  tokens?: number | undefined;
  /** Undefined when the key is destroyed; such a turn is still billed. */
  data: unknown;
  topic: string;
  partition: number;
  offset: number;
}

/** Folds `turns` and `usage` into billing: every logged turn once, every logged recall once. */
export const projectUsage = (event: BillableEvent): UsageRow[] => {
  const { topic, partition, offset } = event;
  const day = event.recorded_at.slice(0, 10);
  const row = { eventId: event.id, org: event.org_id, day, topic, partition, offset };
  switch (event.type) {
    case 'turn.recorded':
      return event.tokens === undefined ? [] : [{ ...row, tokensIn: event.tokens, tokensOut: 0 }];
    case 'recall.metered': {
      const { tokens_in, tokens_out } = event.data as RecallMetered;
      return [{ ...row, tokensIn: tokens_in, tokensOut: tokens_out }];
    }
    default:
      return [];
  }
};
