import type { Decode } from '../../../core/log/events.ts';
import { positionsIn } from '../../../core/log/positions.ts';
import { readPages } from '../../../core/log/read.ts';
import type { EventLog } from '../../../core/ports.ts';
import { keptAfterAt, type Retention, withRetention } from '../../../projections/accounts/retention.ts';
import type { OrgRetentionChanged } from '../../../schemas/events/accounts.ts';
import { recordHead } from './record-head.ts';

export interface Retentions {
  /**
   * The instant up to which an organization's retention had removed what was recorded; -Infinity without one.
   * Unix milliseconds.
   */
  keptAfter(org: string, now: number): number;
  /** Whether a retention was ever set, also one that a clock that was set back took the force of. */
  wasSet(org: string): boolean;
}

/** The retentions of all organizations, from the log. */
export const readRetentions = async ({
  log,
  decode,
}: {
  log: Pick<EventLog, 'read' | 'ends'>;
  decode: Decode;
}): Promise<Retentions> => {
  const retentions = new Map<string, Retention>();
  const set = new Set<string>();
  const topics = ['accounts'] as const;
  for await (const { records } of readPages(log, { topics, to: positionsIn(await log.ends(), topics) })) {
    for (const record of records) {
      if (recordHead(record.value)?.type !== 'org.retention_changed') continue;
      const decoded = await decode(record);
      if (decoded.kind !== 'events') continue;
      for (const { id, org_id, recorded_at, data } of decoded.events) {
        const { days } = data as OrgRetentionChanged;
        const change = { id, days, at: recorded_at };
        if (days !== null) set.add(org_id);
        retentions.set(org_id, withRetention(retentions.get(org_id), change));
      }
    }
  }
  return {
    keptAfter: (org, now) => keptAfterAt(retentions.get(org), now) ?? Number.NEGATIVE_INFINITY,
    wasSet: org => set.has(org),
  };
};
