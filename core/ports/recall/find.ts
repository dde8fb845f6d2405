import type { NewFragment } from '../../../domain/search/fragment.ts';
import type { Deadline } from '../../timing/deadline.ts';
import type { TailTurn } from '../admission/admission.ts';
import type { ListFilter } from './listing.ts';
import type { Scope } from './scope.ts';

export interface FindRequest {
  scope: Scope;
  /** Words, analysed as those of a recall. */
  q: string;
  /** Acknowledged turns of the scope that the index may not contain yet, read before. */
  tail: readonly TailTurn[];
  /** Turns or observations by their words, or the sessions or users of what has the words. */
  of: 'turns' | 'observations' | 'sessions' | 'users';
  filter: Omit<ListFilter, 'kind'>;
  /** Which of the ranked turns or observations to return; of sessions and users all are returned. */
  from: number;
  limit: number;
}

export interface FoundByWords {
  /** 0 to 1; see word-score.ts. */
  score: number;
  /** The turn or observation; of a session or a user its best, with a shortened text. */
  fragment: NewFragment;
  /** The index didn't show it when it was read. */
  isWaiting: boolean;
}

export interface FoundWords {
  /** Best first. */
  found: FoundByWords[];
  /** How many there are, at most `MOST_RANKED`. */
  total: number;
}

/**
 * Find what holds words of the query in a scope, best first. Bounded as the first stage of a recall, and runs
 * beside recalls, on their threads. Reject as `Search` does.
 */
export type Find = (request: FindRequest, deadline?: Deadline) => Promise<FoundWords>;
