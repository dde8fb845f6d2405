import type { SaidOfNames } from '../../../domain/facts/names/names.ts';
import type { Corrected, StoredFact } from '../../../domain/facts/stored-fact.ts';
import type { StoredFragment } from '../../../domain/search/fragment.ts';
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

/** A statement about names, and when the service recorded it: Unix milliseconds. */
export interface NameCorrection extends SaidOfNames {
  recordedAt: number;
}

export interface KnownObservation extends StoredFragment {
  /** When the service recorded it, Unix milliseconds. */
  recordedAt: number;
  /** The terms of its write's metadata, where there are any. */
  metadata?: readonly string[] | undefined;
}

/** An observation that says something of a subject. */
export interface KnownFact extends KnownObservation {
  fact: StoredFact;
}

/** An observation that corrects another one. */
export interface Correction extends KnownObservation {
  corrects: Corrected;
}

/** Which facts to read: those of attributes of subjects, by their keys (`factKey`), or all of a user's with these attributes. */
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
  /** The corrections of any of them, or of one of the observations that were named. */
  corrections: Correction[];
}

/** Reads the details of turns by their ids: observations and their facts, entities, names, jobs, enrichment and holdings. */
export interface TurnDetails {
  /** Observations that extractors derived from these turns, oldest first. */
  observationsOf(scope: Scope, turnIds: readonly string[], signal?: AbortSignal): Promise<StoredFragment[]>;
  /**
   * Resolve with statements about subjects in the scope's organization and session, whatever its time window: of a key,
   * of an attribute, or of all keys at once, bounded (bounds.ts).
   */
  facts(scope: Scope, wanted: WantedFacts, signal?: AbortSignal): Promise<FoundFacts>;
  /** The keys of a user's facts after a given one, ascending. */
  factKeys(
    scope: { org: string; user: string },
    page: { attribute?: string | undefined; after?: string | undefined },
    limit: number,
  ): Promise<string[]>;
  /** These turns, as far as the scope's organization has them and they pass its filter. */
  turnsOf(scope: Scope, ids: readonly string[], signal?: AbortSignal): Promise<StoredFragment[]>;
  /** Entities that these turns name. */
  entitiesOf(scope: Scope, turnIds: readonly string[], signal?: AbortSignal): Promise<StoredEntity[]>;
  /**
   * Resolve with the last `MOST_CORRECTIONS` statements about a user's names up to `asOf`, in recorded order, whichever
   * session is searched.
   */
  nameCorrections(
    scope: Pick<Scope, 'org' | 'asOf'> & { user: string },
    signal?: AbortSignal,
  ): Promise<NameCorrection[]>;
  /** The state of enrichment of these turns. */
  enrichment(org: string, turnIds: readonly string[]): Promise<Enrichment>;
  /** Whether any of these turns waits for enrichment. */
  isQueued(org: string, turnIds: readonly string[]): Promise<boolean>;
  job(org: string, id: string): Promise<Job | undefined>;
  /** The id of the job of the write that stored a turn. */
  jobOfTurn(org: string, user: string, turnId: string): Promise<string | undefined>;
  /** For an erasure: what the index holds of a user's session, or of all sessions. */
  holdings(org: string, user: string, session?: string): Promise<ErasureCounts>;
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
