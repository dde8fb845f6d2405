import type { Extent } from '../../../domain/language/times/asked-times.ts';
import type { CandidateQuery } from '../../../domain/search/candidate-query.ts';
import type { Limits } from '../../../domain/search/candidates.ts';
import type { Candidate, Neighbours, ScopeStatistics } from '../../../domain/search/document.ts';
import type { StoredFragment } from '../../../domain/search/fragment.ts';
import type { TailTurn } from '../admission/admission.ts';
import type { Scope } from './scope.ts';

/**
 * The result of a recall's first phase in a scope. The second phase, `surround` and `fragments`, reads by the
 * keys of these candidates from the same snapshot.
 */
export interface Retrieved<Query extends CandidateQuery = CandidateQuery, Snapshot = unknown> {
  /** The query, analysed with the scope's speakers. */
  query: Query;
  /** Whether everything in the scope is a candidate, so that another query would find nothing new. */
  complete: boolean;
  /** Without their neighbours. */
  candidates: Candidate[];
  statistics: ScopeStatistics;
  /** The index state that was read; its content is private to the index. */
  snapshot: Snapshot;
}

/** The recall index, as a search uses it. */
export interface Retrieval<Snapshot = unknown> {
  /**
   * Return candidates of the scope and exact counts over the index and the tail, with each turn once. Pass to
   * `analyse` at most 64 distinct roles of the scope and the time span of its turns, which only the index
   * knows. `signal` cancels this phase and, through the snapshot, the second one. `limits`: default, those of a
   * recall.
   */
  retrieve<Query extends CandidateQuery>(
    scope: Scope,
    analyse: (speakers: readonly string[], extent?: () => Extent | undefined) => Query,
    tail: readonly TailTurn[],
    signal?: AbortSignal,
    limits?: Limits,
  ): Promise<Retrieved<Query, Snapshot>>;
  /**
   * Return the neighbours of these candidates; an observation has none. Each candidate costs up to four
   * document reads.
   */
  surround(snapshot: Snapshot, keys: readonly number[]): Promise<ReadonlyMap<number, Neighbours>>;
  /**
   * Return a model's vectors of turns, as far as they exist: one signed byte per component, the vectors of a
   * turn concatenated.
   *
   * @param ids of turns of the snapshot, as candidates and their neighbours have them
   */
  vectors(
    snapshot: Snapshot,
    ids: readonly string[],
    model: string,
  ): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Return the fragments of these candidates, except those erased after the snapshot was taken. */
  fragments(snapshot: Snapshot, keys: readonly number[]): Promise<ReadonlyMap<number, StoredFragment>>;
}
