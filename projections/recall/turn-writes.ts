import { normaliseLabel } from '../../domain/extraction/names/label.ts';
import { correctedBy, storedFact } from '../../domain/facts/stored-fact.ts';
import { type Metadata, termsOf } from '../../domain/filter/terms.ts';
import { clientObservationId, entityId, joined, observationId } from '../../domain/identity/identity.ts';
import type { Language } from '../../domain/language/language.ts';
import { saidTurnOf } from '../../domain/search/fragment.ts';
import type { ObservationsExtracted } from '../../schemas/events/observations.ts';
import type { TurnRecorded } from '../../schemas/events/turns.ts';
import { originOf, type RecallEvent } from './recall-event.ts';
import type { RecallWrite } from './recall-writes.ts';

/** Cached because users mention the same entities repeatedly. */
const REMEMBERED_LABELS = 20_000;

interface Named {
  id: string;
  normalised: string;
}

/** The entity of a label in a user's partition. Cached: deriving it is most of the cost of a mention. */
export const makeEntityOf = () => {
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

/** Most writes have no metadata. */
const withTerms = (metadata: Metadata | undefined): { metadata?: readonly string[] } => {
  const terms = termsOf(metadata);
  return terms.length > 0 ? { metadata: terms } : {};
};

/** Returns the writes of a recorded turn, and of the observations that were sent with it. */
export const turnWrites = (
  language: Pick<Language, 'analyse' | 'encodeDocument'>,
  event: RecallEvent,
  data: TurnRecorded,
): RecallWrite[] => {
  const { id, org_id: org, partition } = event;
  const origin = originOf(event);
  const { offset } = origin;
  const said = saidTurnOf(id, data);
  const { user, session, role, text, timestamp, utcOffset } = said;
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
    address: { partition, offset, part: 0 },
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
      ...(utcOffset !== undefined && { utcOffset }),
      source: 'client',
      document: language.encodeDocument(language.analyse(observation, { role, timestamp })),
      address: { partition, offset, part: i + 1 },
      ...metadata,
      ...(said && { fact: storedFact({ org, user, timestamp }, said, i) }),
      ...(corrects && { corrects: correctedBy({ org, user }, corrects) }),
    };
  });
  return [turn, ...observations];
};

/** Returns the writes of what was extracted from a turn. */
export const extractionWrites = (
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
      ({ text, fact }, i): RecallWrite => ({
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
        ...(data.utc_offset !== undefined && { utcOffset: data.utc_offset }),
        source: data.source,
        document: undefined,
        address: undefined,
        ...metadata,
        ...(fact && { fact: storedFact({ org, user, timestamp }, fact, i) }),
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
