import { encodeFrame } from '../../../core/log/encode.ts';
import { partsOf } from '../../../core/log/parts.ts';
import type { SessionKey } from '../../../core/ports.ts';
import type { TurnEmbedded } from '../../../schemas/events/embeddings.ts';

export interface EmbeddedEvent {
  id: string;
  /** Where it isn't the frame's. */
  recorded_at?: string;
  /** Those of its turn. */
  expires_at?: string | undefined;
  kept_from?: string | undefined;
  data: TurnEmbedded;
}

/** The vectors of turns of one session by one model, as the values of few records. */
export const embeddedFrames = (
  common: { org_id: string; recorded_at: string; correlation_id: string },
  events: readonly EmbeddedEvent[],
  key: Pick<SessionKey, 'keyId' | 'sealing'>,
): Uint8Array[] => {
  if (events.length === 0) return [];
  return [...partsOf(events)].map(part => {
    const [{ id, data }] = part as [EmbeddedEvent];
    const { user_id, session_id, model, dimensions } = data;
    const body = {
      user_id,
      session_id,
      model,
      dimensions,
      turns: part.map(({ data: { turn_id, vectors } }) => ({ turn_id, vectors })),
    };
    const heads = part.map(({ id, recorded_at = common.recorded_at, expires_at, kept_from }) => ({
      id,
      ...(recorded_at !== common.recorded_at && { recorded_at }),
      ...(expires_at === undefined ? kept_from !== undefined && { kept_from } : { expires_at }),
    }));
    return encodeFrame({ ...common, id, type: 'turns.embedded', events: heads }, body, key);
  });
};
