/** Records of several events, as an ingestion, an enrichment and an embedding append them. */

import { encodeEvent, encodeFrame } from '../../../core/log/encode.ts';
import type { TurnEmbedded } from '../../../schemas/events/embeddings.ts';
import { EVENT_TYPES } from '../../../schemas/events/event-types.ts';
import type { ObservationsExtracted } from '../../../schemas/events/observations.ts';
import type { Registry } from '../../../schemas/events/registry.ts';
import { type TurnRecorded, turnsRecordedBody, type WriteAccepted } from '../../../schemas/events/turns.ts';
import { embeddedFrames } from '../../../services/workers/embedder/embedded-frames.ts';
import { extractedFrames } from '../../../services/workers/enricher/extracted-frames.ts';
import { type Logged, sessionKey } from './builders.ts';

type Written<T> = Pick<
  Logged<T>,
  | 'id'
  | 'type'
  | 'org_id'
  | 'recorded_at'
  | 'correlation_id'
  | 'tokens'
  | 'facts'
  | 'stated'
  | 'expires_at'
  | 'kept_from'
  | 'data'
>;

const headOf = ({ org_id, recorded_at, correlation_id }: Written<unknown>) => ({
  org_id,
  recorded_at,
  correlation_id,
});

/** Another build than today's, whose `turns.recorded` may have another body. */
interface Build {
  known?: Registry | undefined;
  bodyOf?: (...said: Parameters<typeof turnsRecordedBody>) => object;
}

/** `turns.recorded` of a write and the turns that it stored. */
export const turnsFrame = (
  write: Written<WriteAccepted>,
  turns: readonly Written<TurnRecorded>[],
  key = sessionKey(),
  { known, bodyOf = turnsRecordedBody }: Build = {},
): Uint8Array =>
  encodeFrame(
    {
      ...headOf(write),
      id: write.id,
      type: 'turns.recorded',
      events: [
        { id: write.id },
        ...turns.map(({ id, tokens, facts, stated, recorded_at, expires_at }) => ({
          id,
          tokens: tokens!,
          ...(facts !== undefined && { facts }),
          ...(stated && { stated }),
          recorded_at,
          ...(expires_at !== undefined && { expires_at }),
        })),
      ],
    },
    bodyOf(
      write.data,
      turns.map(({ id }) => id),
      turns.map(({ data }) => data),
    ),
    key,
    known,
  );

/** `observations.extracted` of turns of one session. */
export const observationsFrame = (
  found: readonly [Written<ObservationsExtracted>, ...Written<ObservationsExtracted>[]],
  key = sessionKey(),
): Uint8Array => extractedFrames(headOf(found[0]), found, key)[0]!;

/** The write of a turn alone, of which it was the only turn. */
const writeOf = (turn: Written<TurnRecorded>): Written<WriteAccepted> => {
  const { user_id, session_id, job_id, active, passive, metadata = null } = turn.data;
  const options = { write_active: active, write_passive: passive };
  return {
    ...headOf(turn),
    id: job_id,
    type: 'write.accepted',
    data: { user_id, session_id, job_id, turn_ids: [turn.id], options, metadata },
  };
};

/**
 * The value of a record with this event: a turn's has a write of it alone before it. Plain events need no
 * key.
 */
export const recordWith = (event: Written<unknown>, key = sessionKey(), known?: Registry): Uint8Array => {
  switch (event.type) {
    case 'write.accepted':
      return turnsFrame(event as Written<WriteAccepted>, [], key, { known });
    case 'turn.recorded':
      return turnsFrame(writeOf(event as Written<TurnRecorded>), [event as Written<TurnRecorded>], key, {
        known,
      });
    case 'observations.extracted':
      return observationsFrame([event as Written<ObservationsExtracted>], key);
    case 'turn.embedded':
      return embeddedFrames(headOf(event), [event as Written<TurnEmbedded>], key)[0]!;
    default:
      return encodeEvent(
        { ...event, data: event.data as object },
        EVENT_TYPES[event.type]!.stored === 'sealed' ? key : undefined,
        known,
      );
  }
};
