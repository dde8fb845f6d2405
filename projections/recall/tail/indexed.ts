import { type Candidate, NO_NEIGHBOURS } from '../../../domain/search/document.ts';
import { TURN } from '../../../domain/search/segments/run.ts';
import type { Entry } from '../../../domain/search/segments/segment.ts';

/** An analysed fragment of the index. */
export interface Indexed extends Entry {
  /** Hexadecimal, without a prefix. */
  id: string;
}

export const candidateOf = ({
  number,
  id,
  session,
  timestamp,
  kind,
  role,
  document,
}: Indexed): Candidate => ({
  key: number,
  id,
  kind: kind === TURN ? 'turn' : 'observation',
  session,
  role,
  timestamp,
  document,
  neighbours: NO_NEIGHBOURS,
});
