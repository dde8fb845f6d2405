import { eventOffsetOf } from '../../schemas/events/event-offset.ts';
import type { Origin } from './recall-writes.ts';

/** An event of `turns` or `observations`, with its log address. */
export interface RecallEvent {
  id: string;
  type: string;
  org_id: string;
  recorded_at: string;
  expires_at?: string | undefined;
  kept_from?: string | undefined;
  data: unknown;
  topic: string;
  partition: number;
  offset: number;
  index?: number | undefined;
  readAt?: number | undefined;
}

export const originOf = ({
  topic,
  partition,
  offset,
  index,
  readAt,
  recorded_at,
  expires_at,
  kept_from,
}: RecallEvent): Origin => ({
  topic: topic === 'observations' ? 'observations' : 'turns',
  partition,
  offset: eventOffsetOf({ offset, index }),
  ...(readAt !== undefined && { readAt: eventOffsetOf({ offset: readAt, index }) }),
  recordedAt: Date.parse(recorded_at),
  ...(expires_at !== undefined && { expiresAt: Date.parse(expires_at) }),
  ...(kept_from !== undefined && { keptFrom: Date.parse(kept_from) }),
});
