import type { RecallMetered } from '../../schemas/events/usage.ts';
import { confidenceBin, latencyBin } from '../../schemas/recall-bins.ts';
import type { RowAddress } from '../verify/row.ts';

/** A recall without a measured value: in no bin. */
export const NO_BIN = -1;

/**
 * What one event counts. Rows are unique by organization and `eventId`: the copy at the lowest offset wins.
 * Names nobody: what is counted stays when its words and keys are gone.
 */
export interface ActivityRow extends RowAddress {
  eventId: string;
  org: string;
  /** UTC day of the event's `recorded_at`, YYYY-MM-DD. */
  day: string;
  /** The id of the user's own key; of a recall the digest of the one user that it searched; '' where unknown. */
  owner: string;
  /** The part of the session's key ids that all of its keys share; '' of a recall. */
  session: string;
  turns: number;
  facts: number;
  recalls: number;
  /** The bins of recall-bins.ts. */
  latency: number;
  confidence: number;
}

/** The columns of a row in both engines, in their order; of texts the rest are numbers. */
export const ACTIVITY_TEXTS = ['owner', 'session'] as const;
export const ACTIVITY_NUMBERS = ['turns', 'facts', 'recalls', 'latency', 'confidence'] as const;

interface CountedEvent {
  id: string;
  type: string;
  org_id: string;
  recorded_at: string;
  facts?: number | undefined;
  stated?: true | undefined;
  keyId?: string | null | undefined;
  userKeyId?: string | undefined;
  /** Undefined when its key is destroyed: it is counted all the same. */
  data: unknown;
  topic: string;
  partition: number;
  offset: number;
}

/** Returns what the ids of a session's keys have in common (key-wrapping.ts). */
const lineOf = (keyId: string): string => keyId.split('.', 1)[0]!;

/**
 * Folds `turns`, `observations` and `usage` into what is counted by day, from what the log has in the clear:
 * no erasure and no expiry changes it.
 */
export const projectActivity = (event: CountedEvent): ActivityRow[] => {
  const { topic, partition, offset, facts = 0 } = event;
  const row = {
    eventId: event.id,
    org: event.org_id,
    day: event.recorded_at.slice(0, 10),
    owner: event.userKeyId ?? '',
    session: lineOf(event.keyId ?? ''),
    turns: 0,
    facts,
    recalls: 0,
    latency: NO_BIN,
    confidence: NO_BIN,
    topic,
    partition,
    offset,
  };
  switch (event.type) {
    case 'turn.recorded': {
      const turns = event.stated ? 0 : 1;
      return turns + facts > 0 ? [{ ...row, turns }] : [];
    }
    case 'observations.extracted':
      return facts > 0 ? [row] : [];
    case 'recall.metered': {
      const { searched = '', took_ms, confidence } = event.data as RecallMetered;
      return [
        {
          ...row,
          owner: searched,
          facts: 0,
          recalls: 1,
          latency: took_ms === undefined ? NO_BIN : latencyBin(took_ms),
          confidence: confidence === undefined ? NO_BIN : confidenceBin(confidence),
        },
      ];
    }
    default:
      return [];
  }
};
