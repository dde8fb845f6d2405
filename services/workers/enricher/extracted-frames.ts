import { encodeFrame } from '../../../core/log/encode.ts';
import { jsonBytes } from '../../../core/log/json-bytes.ts';
import { partsOf } from '../../../core/log/parts.ts';
import type { SessionKey } from '../../../core/ports.ts';
import type { EventHead } from '../../../schemas/events/envelope.ts';
import { type ObservationsExtracted, observationsOfTurnsBody } from '../../../schemas/events/observations.ts';

/** The extraction event of a turn. `recorded_at`: set where it differs from the frame's. */
export interface ExtractedEvent {
  id: string;
  recorded_at?: string;
  /** `expires_at` and `kept_from` are the turn's. */
  expires_at?: string | undefined;
  kept_from?: string | undefined;
  data: ObservationsExtracted;
}

/**
 * Returns extraction events as the values of few records. All come from turns of one session with one
 * metadata, and from one extractor.
 */
export const extractedFrames = (
  common: { org_id: string; recorded_at: string; correlation_id: string },
  events: readonly ExtractedEvent[],
  key: Pick<SessionKey, 'keyId' | 'userKeyId' | 'sealing'>,
): Uint8Array[] => {
  const metadata = events[0]?.data.metadata;
  // A record has the metadata once.
  const items = metadata ? events.map(withoutMetadata) : events;
  const shared = metadata ? jsonBytes(metadata) : 0;
  return [...partsOf(items, shared)].map(part => {
    const [{ id }] = part as [ExtractedEvent];
    const body = observationsOfTurnsBody(
      part.map(({ data }) => data) as [ObservationsExtracted, ...ObservationsExtracted[]],
      metadata,
    );
    const heads = part.map(({ id, recorded_at = common.recorded_at, expires_at, kept_from, data }) => ({
      id,
      ...countedIn(data),
      ...(recorded_at !== common.recorded_at && { recorded_at }),
      ...(expires_at !== undefined && { expires_at }),
      ...(kept_from !== undefined && { kept_from }),
    }));
    return encodeFrame({ ...common, id, type: 'observations.extracted', events: heads }, body, key);
  });
};

/** What is counted of it when its key is destroyed. */
const countedIn = ({ observations }: ObservationsExtracted): Pick<EventHead, 'facts'> => {
  const facts = observations.filter(({ fact }) => fact !== undefined).length;
  return facts > 0 ? { facts } : {};
};

const withoutMetadata = ({ data: { metadata: _, ...data }, ...event }: ExtractedEvent): ExtractedEvent => ({
  ...event,
  data,
});
