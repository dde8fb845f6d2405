import { type Candidate, NO_NEIGHBOURS } from '../document.ts';
import { TURN } from '../run.ts';
import type { Entry } from '../segment.ts';

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
