import type { Entry } from '../segment.ts';

/** An analysed fragment of the index. */
export interface Indexed extends Entry {
  /** Hexadecimal, without a prefix. */
  id: string;
}
