import type { SaidOfNames } from '../../../domain/facts/names/names.ts';
import type { Corrected, StoredFact } from '../../../domain/facts/stored-fact.ts';
import type { StoredFragment } from '../../../domain/search/fragment.ts';
import type { SaidOfHit } from '../../../projections/recall/recall-writes.ts';
import type { ErasureCounts } from '../../../schemas/events/curation/erasure.ts';
import type { Job } from '../admission/admission.ts';
import type { Scope } from './scope.ts';

export type { StoredFragment };

export interface StoredEntity {
  id: string;
  label: string;
  kind: string;
  /** Those of the requested turns in the searched scope that name it. */
  turnIds: string[];
}

/** A correction of names, and when the service recorded it: Unix milliseconds. */
export interface NameCorrection extends SaidOfNames {
  recordedAt: number;
}

export interface KnownObservation extends StoredFragment {
  /** When the service recorded it, Unix milliseconds. */
  recordedAt: number;
  /** The terms of its write's metadata, if any. */
  metadata?: readonly string[] | undefined;
}

/** An observation that states a fact about a subject. */
export interface KnownFact extends KnownObservation {
  fact: StoredFact;
}

/** An observation that corrects another one. */
export interface Correction extends KnownObservation {
  corrects: Corrected;
}

/**
 * Selects facts: by the keys of attributes of subjects (`factKey`), or all facts of a user with these
 * attributes.
 */
export type WantedFacts =
  | {
      keys: readonly { user: string; key: string }[];
      /** Observations whose corrections are read as well. */
      corrected?: readonly string[];
    }
  | { user: string; attributes: readonly string[] };

export interface FoundFacts {
  /** The latest first. */
  facts: KnownFact[];
  /** Corrections of any of these facts, or of the named observations. */
  corrections: Correction[];
}

/**
 * The records that belong to turns, read by the turns' ids: observations and their facts, entities, names,
 * jobs, enrichment and holdings.
 */
export interface TurnDetails {
  /** Return the observations that extractors derived from these turns, oldest first. */
  observationsOf(scope: Scope, turnIds: readonly string[], signal?: AbortSignal): Promise<StoredFragment[]>;
  /**
   * Return facts in the scope's organization and session, ignoring its time window: of a key, of an
   * attribute, or of all keys at once, bounded (bounds.ts).
   */
  facts(scope: Scope, wanted: WantedFacts, signal?: AbortSignal): Promise<FoundFacts>;
  /** Return the keys of a user's facts after a given one, ascending. */
  factKeys(
    scope: { org: string; user: string },
    page: { attribute?: string | undefined; after?: string | undefined },
    limit: number,
  ): Promise<string[]>;
  /** Return those of these turns that the scope's organization has and that pass its filter. */
  turnsOf(scope: Scope, ids: readonly string[], signal?: AbortSignal): Promise<StoredFragment[]>;
  /** Return the entities that these turns name. */
  entitiesOf(scope: Scope, turnIds: readonly string[], signal?: AbortSignal): Promise<StoredEntity[]>;
  /**
   * Return the last `MOST_CORRECTIONS` corrections of a user's names up to `asOf`, in the order of their
   * recording, whichever session is searched.
   */
  nameCorrections(
    scope: Pick<Scope, 'org' | 'asOf'> & { user: string },
    signal?: AbortSignal,
  ): Promise<readonly NameCorrection[]>;
  /**
   * Return what was said of the hits of a recall that are in these sessions, in the order of its recording.
   */
  judgements(
    org: string,
    recall: string,
    sessions: readonly { user: string; session: string }[],
  ): Promise<readonly Judgement[]>;
  /** Return the state of enrichment of these turns. */
  enrichment(org: string, turnIds: readonly string[]): Promise<Enrichment>;
  /** Whether any of these turns waits for enrichment. */
  isQueued(org: string, turnIds: readonly string[]): Promise<boolean>;
  job(org: string, id: string): Promise<Job | undefined>;
  /** Return the id of the job of the write that stored a turn. */
  jobOfTurn(org: string, user: string, turnId: string): Promise<string | undefined>;
  /** Yield the names, page by page, of the sessions of a user of which the index holds anything. */
  sessionsOf(org: string, user: string): AsyncIterable<readonly string[]>;
  /** Return what the index holds of a user's session, or of all sessions, for an erasure. */
  holdings(org: string, user: string, session?: string): Promise<ErasureCounts>;
}

/** A saying about a hit, and when the service recorded it: Unix milliseconds. */
export interface Judgement extends SaidOfHit {
  recordedAt: number;
}

/** How many turns are in each state of enrichment, and what was extracted from them. */
export interface Enrichment {
  queued: number;
  done: number;
  failed: number;
  reason: string | null;
  observations: number;
  entities: number;
}
