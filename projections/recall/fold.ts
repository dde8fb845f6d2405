import { normaliseLabel } from '../../domain/extraction/names/label.ts';
import { correctedBy, storedFact } from '../../domain/facts/stored-fact.ts';
import { type Metadata, termsOf } from '../../domain/filter/terms.ts';
import { clientObservationId, entityId, joined, observationId } from '../../domain/identity/identity.ts';
import type { Language } from '../../domain/language/language.ts';
import { saidTurnOf } from '../../domain/search/fragment.ts';
import {
  type EntityCorrected,
  NO_SESSION,
  type SessionTitled,
} from '../../schemas/events/curation/correction.ts';
import type { MemoryErased } from '../../schemas/events/curation/erasure.ts';
import type { MemoryExpired } from '../../schemas/events/curation/expiry.ts';
import type { MemoryRetracted } from '../../schemas/events/curation/retraction.ts';
import type { TurnEmbedded } from '../../schemas/events/embeddings.ts';
import type { ExtractionFailed, ObservationsExtracted } from '../../schemas/events/observations.ts';
import { placeOf } from '../../schemas/events/place.ts';
import type { TurnRecorded, WriteAccepted } from '../../schemas/events/turns.ts';
import type { Origin, RecallWrite } from './projection.ts';

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

const originOf = ({
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
  offset: placeOf({ offset, index }),
  ...(readAt !== undefined && { readAt: placeOf({ offset: readAt, index }) }),
  recordedAt: Date.parse(recorded_at),
  ...(expires_at !== undefined && { expiresAt: Date.parse(expires_at) }),
  ...(kept_from !== undefined && { keptFrom: Date.parse(kept_from) }),
});

/** Cached because users mention the same entities repeatedly. */
const REMEMBERED_LABELS = 20_000;

interface Named {
  id: string;
  normalised: string;
}

/** The entity of a label in a user's partition. Cached: deriving it is most of the cost of a mention. */
const makeEntityOf = () => {
  const known = new Map<string, Named>();
  return (org: string, user: string, label: string): Named => {
    const key = joined([org, user, label]);
    const found = known.get(key);
    if (found) return found;
    const normalised = normaliseLabel(label);
    const named = { id: entityId(org, user, normalised), normalised };
    if (known.size >= REMEMBERED_LABELS) known.clear();
    known.set(key, named);
    return named;
  };
};

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
        const origin = { ...originOf(event), offset: placeOf({ offset: before }) };
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

/** Most writes have no metadata. */
const withTerms = (metadata: Metadata | undefined): { metadata?: readonly string[] } => {
  const terms = termsOf(metadata);
  return terms.length > 0 ? { metadata: terms } : {};
};

const turnWrites = (
  language: Pick<Language, 'analyse' | 'encodeDocument'>,
  event: RecallEvent,
  data: TurnRecorded,
): RecallWrite[] => {
  const { id, org_id: org, partition } = event;
  const origin = originOf(event);
  const { offset } = origin;
  const said = saidTurnOf(id, data);
  const { user, session, role, text, timestamp } = said;
  const metadata = withTerms(data.metadata);
  const document = data.active ? language.analyse(text, { role, timestamp }) : undefined;
  const turn: RecallWrite = {
    op: 'turn',
    origin,
    org,
    ...said,
    text: data.active ? text : '',
    active: data.active,
    passive: data.passive,
    document: document ? language.encodeDocument(document) : new Uint8Array(),
    length: document?.length ?? 0,
    place: { partition, offset, part: 0 },
    // An identity is in no answer.
    ...(data.active && metadata),
  };
  const observations = data.observations.map((observation, i): RecallWrite => {
    const said = data.facts?.[i];
    const corrects = data.stated?.corrects;
    return {
      op: 'observation',
      origin,
      id: clientObservationId({ id, stated: data.stated }, observation),
      org,
      user,
      session,
      turnId: id,
      role,
      text: observation,
      timestamp,
      source: 'client',
      document: language.encodeDocument(language.analyse(observation, { role, timestamp })),
      place: { partition, offset, part: i + 1 },
      ...metadata,
      ...(said && { fact: storedFact({ org, user, timestamp }, said) }),
      ...(corrects && { corrects: correctedBy({ org, user }, corrects) }),
    };
  });
  return [turn, ...observations];
};

const extractionWrites = (
  entityOf: ReturnType<typeof makeEntityOf>,
  event: RecallEvent,
  data: ObservationsExtracted,
): RecallWrite[] => {
  const { org_id: org } = event;
  const origin = originOf(event);
  const { user_id: user, session_id: session, turn_id: turnId, role } = data;
  const timestamp = Date.parse(data.timestamp);
  const metadata = withTerms(data.metadata);
  return [
    ...data.observations.map(
      ({ text, fact }): RecallWrite => ({
        op: 'observation',
        origin,
        id: observationId(turnId, text),
        org,
        user,
        session,
        turnId,
        role,
        text,
        timestamp,
        source: data.source,
        document: undefined,
        place: undefined,
        ...metadata,
        ...(fact && { fact: storedFact({ org, user, timestamp }, fact) }),
      }),
    ),
    ...data.entities.map(({ label, kind }): RecallWrite => {
      const { id, normalised } = entityOf(org, user, label);
      return {
        op: 'entity',
        origin,
        id,
        org,
        user,
        session,
        label,
        normalised,
        kind,
        turnId,
        ...metadata,
      };
    }),
    { op: 'enriched', origin, org, user, session, turnId, outcome: 'done', reason: null },
  ];
};
