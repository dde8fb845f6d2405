import type { Language } from '../../domain/language/language.ts';
import {
  type EntityCorrected,
  NO_SESSION,
  type SessionTitled,
} from '../../schemas/events/curation/correction.ts';
import type { MemoryErased } from '../../schemas/events/curation/erasure.ts';
import type { MemoryExpired } from '../../schemas/events/curation/expiry.ts';
import type { RecallJudged } from '../../schemas/events/curation/judgement.ts';
import type { MemoryRetracted } from '../../schemas/events/curation/retraction.ts';
import type { TurnEmbedded } from '../../schemas/events/embeddings.ts';
import { eventOffsetOf } from '../../schemas/events/event-offset.ts';
import type { ExtractionFailed, ObservationsExtracted } from '../../schemas/events/observations.ts';
import type { TurnRecorded, WriteAccepted } from '../../schemas/events/turns.ts';
import { originOf, type RecallEvent } from './recall-event.ts';
import type { AboutRecall, RecallWrite } from './recall-writes.ts';
import { extractionWrites, makeEntityOf, turnWrites } from './turn-writes.ts';

/** The fold of `turns` and `observations` into the recall index; independent of the order between the two. */
export const makeRecallProjection = (language: Pick<Language, 'analyse' | 'encodeDocument'>) => {
  const entityOf = makeEntityOf();
  return (event: RecallEvent): RecallWrite[] => {
    // The key is destroyed, so there is nothing to project.
    if (event.data === undefined) return [];
    switch (event.type) {
      case 'turn.recorded':
        return turnWrites(language, event, event.data as TurnRecorded);
      case 'write.accepted': {
        const data = event.data as WriteAccepted;
        return [
          {
            op: 'job',
            origin: originOf(event),
            id: data.job_id,
            org: event.org_id,
            user: data.user_id,
            session: data.session_id,
            turnIds: data.turn_ids,
            passive: data.options.write_passive,
          },
        ];
      }
      case 'observations.extracted':
        return extractionWrites(entityOf, event, event.data as ObservationsExtracted);
      case 'extraction.failed': {
        const data = event.data as ExtractionFailed;
        return [
          {
            op: 'enriched',
            origin: originOf(event),
            org: event.org_id,
            user: data.user_id,
            session: data.session_id,
            turnId: data.turn_id,
            outcome: 'failed',
            reason: data.reason,
          },
        ];
      }
      case 'turn.embedded': {
        const data = event.data as TurnEmbedded;
        return [
          {
            op: 'vectors',
            origin: originOf(event),
            org: event.org_id,
            user: data.user_id,
            session: data.session_id,
            turnId: data.turn_id,
            model: data.model,
            vectors: Buffer.from(data.vectors, 'base64'),
          },
        ];
      }
      case 'memory.erased': {
        const { owner, session } = event.data as MemoryErased;
        return [{ op: 'erase', origin: originOf(event), org: event.org_id, owner, session }];
      }
      case 'memory.expired': {
        const { owner, session, before, turn_ids: known } = event.data as MemoryExpired;
        // Leaves out what was recorded between the sweep's look and this event.
        const origin = { ...originOf(event), offset: eventOffsetOf({ offset: before }) };
        return [{ op: 'erase', origin, org: event.org_id, owner, session, known }];
      }
      case 'memory.retracted': {
        const data = event.data as MemoryRetracted;
        return [
          {
            op: 'retract',
            origin: originOf(event),
            org: event.org_id,
            user: data.user_id,
            session: data.session_id,
            turnId: data.turn_id,
            observationId: data.observation_id ?? undefined,
          },
        ];
      }
      case 'entity.corrected': {
        const { user_id: user, ...said } = event.data as EntityCorrected;
        return [{ ...correctionOf(event), user, session: NO_SESSION, about: 'names', said }];
      }
      case 'session.titled': {
        const { user_id: user, session_id: session, title } = event.data as SessionTitled;
        return [{ ...correctionOf(event), user, session, about: 'title', said: { title } }];
      }
      case 'recall.judged': {
        const { user_id: user, session_id: session, recall_id, hit_id, verdict } = event.data as RecallJudged;
        const about = recall_id as AboutRecall;
        return [{ ...correctionOf(event), user, session, about, said: { hit_id, verdict } }];
      }
      default:
        return [];
    }
  };
};

const correctionOf = (event: RecallEvent) => ({
  op: 'correction' as const,
  origin: originOf(event),
  id: event.id,
  org: event.org_id,
});
