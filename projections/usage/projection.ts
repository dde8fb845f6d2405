import type { TurnRecorded } from '../../schemas/events/turns.ts';
import type { RecallMetered } from '../../schemas/events/usage.ts';

/** What one event bills. Rows are distinct by `eventId`: the first wins. */
export interface UsageRow {
  eventId: string;
  org: string;
  /** UTC day of the event's `recorded_at`, YYYY-MM-DD. */
  day: string;
  tokensIn: number;
  tokensOut: number;
  /** Where the log holds the event. */
  topic: string;
  partition: number;
  offset: number;
}

interface BillableEvent {
  id: string;
  type: string;
  org_id: string;
  recorded_at: string;
  data: unknown;
  topic: string;
  partition: number;
  offset: number;
}

/** The fold of `turns` and `usage` into billing: every logged turn once, every logged recall once. */
export const projectUsage = (event: BillableEvent): UsageRow[] => {
  const { topic, partition, offset } = event;
  const day = event.recorded_at.slice(0, 10);
  const row = { eventId: event.id, org: event.org_id, day, topic, partition, offset };
  switch (event.type) {
    case 'turn.recorded':
      return [{ ...row, tokensIn: (event.data as TurnRecorded).tokens, tokensOut: 0 }];
    case 'recall.metered': {
      const { tokens_in, tokens_out } = event.data as RecallMetered;
      return [{ ...row, tokensIn: tokens_in, tokensOut: tokens_out }];
    }
    default:
      return [];
  }
};
