import type { Entry } from '../../projections/recall/segment.ts';

/** An analysed fragment of the index. */
export interface Indexed extends Entry {
  /** Hexadecimal, without a prefix. */
  id: string;
}
