/** Records of several events, as an ingestion and an enrichment append them. */
import { type ObservationsExtracted, observationsOfTurnsBody } from '../../schemas/events/observations.ts';
import { type TurnRecorded, turnsRecordedBody, type WriteAccepted } from '../../schemas/events/turns.ts';
import { encodeFrame } from '../../services/core/log/events.ts';
import { type Logged, sessionKey } from './builders.ts';

const headOf = ({ org_id, recorded_at, correlation_id }: Logged<unknown>) => ({
  org_id,
  recorded_at,
  correlation_id,
});

/** `turns.recorded` of a write and the turns that it stored. */
export const turnsFrame = (
  write: Logged<WriteAccepted>,
  turns: readonly Logged<TurnRecorded>[],
  key = sessionKey(),
): Uint8Array =>
  encodeFrame(
    {
      ...headOf(write),
      id: write.id,
      type: 'turns.recorded',
      version: 1,
      events: [
        { id: write.id },
        ...turns.map(({ id, tokens, recorded_at }) => ({ id, tokens: tokens!, recorded_at })),
      ],
    },
    turnsRecordedBody(
      write.data,
      turns.map(({ id }) => id),
      turns.map(({ data }) => data),
    ),
    key,
  );

/** `observations.extracted` 2 of turns of one session. */
export const observationsFrame = (
  found: readonly [Logged<ObservationsExtracted>, ...Logged<ObservationsExtracted>[]],
  key = sessionKey(),
): Uint8Array => {
  const data = found.map(each => each.data) as [ObservationsExtracted, ...ObservationsExtracted[]];
  const events = found.map(({ id }) => ({ id }));
  return encodeFrame(
    { ...headOf(found[0]), id: found[0].id, type: 'observations.extracted', version: 2, events },
    observationsOfTurnsBody(data),
    key,
  );
};
