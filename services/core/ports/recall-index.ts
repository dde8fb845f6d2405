import type { CandidateQuery } from '../../../projections/recall/candidate-query.ts';
import type { Candidate, Neighbours, ScopeStatistics } from '../../../projections/recall/document.ts';
import type { StoredFragment } from '../../../projections/recall/fragment.ts';
import type { ErasureCounts } from '../../../schemas/events/erasure.ts';
import type { Job, TailTurn } from './admission.ts';
import type { Scope } from './scope.ts';

export type { StoredFragment };

export interface StoredEntity {
  id: string;
  label: string;
  /** The turns of the searched scope that name it and were asked for. */
  turnIds: string[];
}

export interface Retrieved<Query extends CandidateQuery = CandidateQuery> {
  /** As analysed for those who speak in the scope. */
  query: Query;
  /** Everything in the scope is a candidate: asking for more brings nothing. */
  complete: boolean;
  /** Without their neighbours. */
  candidates: Candidate[];
  statistics: ScopeStatistics;
  /** The neighbours of these candidates: each costs up to four documents. A candidate that is no turn has none. */
  neighbours(keys: readonly number[]): Promise<ReadonlyMap<number, Neighbours>>;
  /** The candidate's fragment; read when a hit is chosen. */
  fragment(key: number): StoredFragment;
}

export interface RecallIndex {
  /**
   * Candidates of the scope and exact counts: the index's and the tail's, each turn once. `analyse` is given the
   * distinct roles of the scope, at most 64: who speaks there is known to the index alone.
   */
  retrieve<Query extends CandidateQuery>(
    scope: Scope,
    analyse: (speakers: readonly string[]) => Query,
    tail: readonly TailTurn[],
  ): Promise<Retrieved<Query>>;
  /** Observations that extractors made of these turns, oldest first. */
  observationsOf(scope: Scope, turnIds: readonly string[]): Promise<StoredFragment[]>;
  /** Entities that these turns name. */
  entitiesOf(scope: Scope, turnIds: readonly string[]): Promise<StoredEntity[]>;
  /** Enrichment of these turns. */
  enrichment(org: string, turnIds: readonly string[]): Promise<Enrichment>;
  job(org: string, id: string): Promise<Job | undefined>;
  /** What the index holds of a user's session, or of all of them, for an erasure. */
  holdings(org: string, user: string, session?: string): Promise<Holdings>;
}

export interface Holdings {
  counts: ErasureCounts;
  /** Turns whose envelopes don't tell what they bill (version 1), with their place in `turns`. */
  sealedTokens: { id: string; partition: number; day: string; tokens: number }[];
}

/** Turns to be enriched by their state, and what came of them. */
export interface Enrichment {
  queued: number;
  done: number;
  failed: number;
  reason: string | null;
  observations: number;
  entities: number;
}
