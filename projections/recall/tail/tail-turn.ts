import { correctedBy, storedFact } from '../../../domain/facts/stored-fact.ts';
import { NO_TERMS, termsOf } from '../../../domain/filter/terms.ts';
import { clientObservationId } from '../../../domain/identity/identity.ts';
import { type NewFragment, type SaidTurn, saidTurnOf } from '../../../domain/search/fragment.ts';
import { extrasOf, type TurnExtras, type TurnRecorded } from '../../../schemas/events/turns.ts';
import { factsOf, observationsOf, textsOf } from '../../../schemas/facts.ts';
import { observationFragment, turnFragment } from '../recall-row.ts';

/** An acknowledged turn, as recall needs it until it is indexed. */
export interface TailTurn extends SaidTurn, TurnExtras {
  org: string;
  /** Whether it is stored as a fragment; if not, only its identity is kept. */
  active: boolean;
  /** Whether it is to be enriched. */
  passive: boolean;
  observations: string[];
  /** The terms of its write's metadata, where there are any (filter/terms.ts). */
  metadata?: readonly string[] | undefined;
  /** The job of the write that stored it. */
  jobId: string;
  /** The id of its sealing key. */
  keyId: string;
  /** Its address in the log: a partition, and the event's offset in it (event-offset.ts). */
  partition: number;
  offset: number;
  /** When the service recorded it, Unix milliseconds. */
  recordedAt: number;
  /** When it expires by itself. */
  expiresAt?: number | undefined;
}

/** The event of a turn, with its sealing key and its position in the log. */
export interface RecordedTurn extends Pick<TailTurn, 'id' | 'keyId' | 'partition' | 'offset'> {
  org_id: string;
  recorded_at: string;
  expires_at?: string | undefined;
  data: TurnRecorded;
}

export const tailTurnOf = ({
  id,
  org_id,
  recorded_at,
  expires_at,
  data,
  keyId,
  partition,
  offset,
}: RecordedTurn): TailTurn => ({
  ...saidTurnOf(id, data),
  org: org_id,
  active: data.active,
  passive: data.passive,
  observations: data.observations,
  ...extrasOf(data),
  ...(data.metadata && { metadata: termsOf(data.metadata) }),
  jobId: data.job_id,
  keyId,
  partition,
  offset,
  recordedAt: Date.parse(recorded_at),
  ...(expires_at !== undefined && { expiresAt: Date.parse(expires_at) }),
});

/** An object, its ids, and its entries in maps; a text of its own beside it. */
const TURN_BYTES = 512;
const TEXT_BYTES = 64;
/** A string takes one or two bytes a unit; the greater is assumed. */
const UNIT_BYTES = 2;

/** About the memory that a turn of the tail takes. */
export const tailTurnBytes = ({
  text,
  observations,
  metadata = NO_TERMS,
}: Pick<TailTurn, 'text' | 'observations' | 'metadata'>): number =>
  [...observations, ...metadata].reduce(
    (sum, each) => sum + TEXT_BYTES + UNIT_BYTES * each.length,
    TURN_BYTES + UNIT_BYTES * text.length,
  );

/** The turn without one of its client's observations. */
export const withoutObservation = (turn: TailTurn, observation: string): TailTurn => {
  const { observations, facts, ...rest } = turn;
  const left = observationsOf(observations, facts).filter(
    ({ text }) => clientObservationId(turn, text) !== observation,
  );
  return { ...rest, observations: textsOf(left), facts: factsOf(left) };
};

/** Undefined when only the turn's identity is kept. */
export const tailFragment = (turn: TailTurn): NewFragment | undefined =>
  turn.active ? turnFragment(turn) : undefined;

/** A client's observations of a turn, in the client's order. */
export const tailObservations = (turn: TailTurn): NewFragment[] =>
  turn.observations.map((text, i) => {
    const id = clientObservationId(turn, text);
    const said = turn.facts?.[i];
    const fact = said && storedFact(turn, said, i);
    const corrects = turn.stated?.corrects && correctedBy(turn, turn.stated.corrects);
    return observationFragment({ ...turn, id, text, turnId: turn.id, source: 'client', fact, corrects });
  });
