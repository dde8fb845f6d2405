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

/**
 * What the first phase of a recall found in a scope. The second phase, `surround` and `fragments`, reads by the keys of
 * these candidates, from the same snapshot.
 */
export interface Retrieved<Query extends CandidateQuery = CandidateQuery, Snapshot = unknown> {
  /** As analysed for those who speak in the scope. */
  query: Query;
  /** Everything in the scope is a candidate: a further query finds nothing new. */
  complete: boolean;
  /** Without their neighbours. */
  candidates: Candidate[];
  statistics: ScopeStatistics;
  /** What the index read. Only the index knows what is in it. */
  snapshot: Snapshot;
}

export interface RecallIndex<Snapshot = unknown> {
  /**
   * Candidates of the scope and exact counts: the index's and the tail's, each turn once. `analyse` is given the
   * distinct roles of the scope, at most 64: only the index knows who speaks there.
   */
  retrieve<Query extends CandidateQuery>(
    scope: Scope,
    analyse: (speakers: readonly string[]) => Query,
    tail: readonly TailTurn[],
  ): Promise<Retrieved<Query, Snapshot>>;
  /** The neighbours of these candidates; an observation has none. Each candidate costs up to four documents. */
  surround(snapshot: Snapshot, keys: readonly number[]): Promise<ReadonlyMap<number, Neighbours>>;
  /** The fragments of these candidates; without those that were erased after the snapshot was taken. */
  fragments(snapshot: Snapshot, keys: readonly number[]): Promise<ReadonlyMap<number, StoredFragment>>;
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
  /** Turns whose envelopes don't say what they bill (version 1), with their partition of `turns`. */
  sealedTokens: { id: string; partition: number; day: string; tokens: number }[];
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
