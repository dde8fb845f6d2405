/** Events without their hidden parts, for exports (retraction.ts). */

import type { Event } from '../../../core/log/events.ts';
import { clientObservationId, observationId } from '../../../domain/identity/identity.ts';
import type { RecallJudged } from '../../../schemas/events/curation/judgement.ts';
import type { TurnEmbedded } from '../../../schemas/events/embeddings.ts';
import type { ExtractionFailed, ObservationsExtracted } from '../../../schemas/events/observations.ts';
import type { TurnRecorded, WriteAccepted } from '../../../schemas/events/turns.ts';
import { factsOf, observationsOf, textsOf } from '../../../schemas/facts.ts';

/** @returns undefined when nothing is left */
export const withoutHidden = (event: Event, hidden: ReadonlySet<string>): Event | undefined => {
  if (hidden.size === 0) return event;
  switch (event.type) {
    case 'write.accepted': {
      const data = event.data as WriteAccepted;
      const turn_ids = data.turn_ids.filter(id => !hidden.has(id));
      return turn_ids.length === 0 ? undefined : { ...event, data: { ...data, turn_ids } };
    }
    case 'turn.recorded':
      if (hidden.has(event.id)) return undefined;
      return shownOfTurn(event, event.data as TurnRecorded, hidden);
    case 'observations.extracted': {
      const data = event.data as ObservationsExtracted;
      if (hidden.has(data.turn_id)) return undefined;
      const observations = data.observations.filter(
        ({ text }) => !hidden.has(observationId(data.turn_id, text)),
      );
      return { ...event, data: { ...data, observations } };
    }
    case 'extraction.failed':
      return hidden.has((event.data as ExtractionFailed).turn_id) ? undefined : event;
    case 'turn.embedded':
      return hidden.has((event.data as TurnEmbedded).turn_id) ? undefined : event;
    case 'recall.judged': {
      const { hit_id, turn_id } = event.data as RecallJudged;
      return hidden.has(hit_id) || hidden.has(turn_id ?? '') ? undefined : event;
    }
    default:
      return event;
  }
};

const shownOfTurn = (event: Event, data: TurnRecorded, hidden: ReadonlySet<string>): Event | undefined => {
  // A correction is hidden with what it corrects, whichever comes first.
  if (data.stated?.corrects?.follows.some(id => hidden.has(id))) return undefined;
  const { observations, facts, ...turn } = data;
  const shown = observationsOf(observations, facts).filter(
    ({ text }) => !hidden.has(clientObservationId({ id: event.id, stated: data.stated }, text)),
  );
  // An observation without a turn is its event's only content.
  if (data.stated && shown.length === 0) return undefined;
  const saidFacts = factsOf(shown);
  const left = { ...turn, observations: textsOf(shown), ...(saidFacts && { facts: saidFacts }) };
  return { ...event, data: left };
};
