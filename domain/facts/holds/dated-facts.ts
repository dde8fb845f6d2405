import type { Corrected, StoredFact } from '../stored-fact.ts';

/** An observation with everything that decides between it and others. */
export interface Dated {
  id: string;
  /** Unix milliseconds: when its turn was said, and when the service recorded it. */
  timestamp: number;
  recordedAt: number;
  /** The speaker. */
  role: string;
  session?: string | undefined;
  text: string;
  /** The turn that says it. An observation without one names its own write here. */
  sourceTurnId?: string | undefined;
  fact?: StoredFact | undefined;
  /** The observation that it corrects. */
  corrects?: Corrected | undefined;
}

/** An observation with a fact about a subject. */
export type Fact<T extends Dated = Dated> = T & { fact: StoredFact };

/**
 * A period in which a value held. Equal values in a row are one period with all of the observations that say
 * it, the latest first. Times are Unix milliseconds.
 */
export interface Period<T extends Dated = Dated> {
  said: readonly [Fact<T>, ...Fact<T>[]];
  /** Values of one slot end each other (slots.ts). */
  slot: string;
  /** The value in the form in which it is compared. */
  valueId: string;
  /** The standing time of the first that says it. */
  from: number;
  /** From when it holds, as it was last said; undefined where nothing was said of it. */
  validFrom: number | undefined;
  /** Undefined while the value holds. Equals the beginning of a corrected value: it never held. */
  until: number | undefined;
  /** The observation that ended it: another value, a denial or a correction. Undefined after a said end. */
  endedBy: T | undefined;
  /** Observations that say otherwise without ending it: in doubt, or said by another one. */
  disputedBy: readonly T[];
  /** It holds beside what else holds: in doubt, or with a said end. */
  isBeside: boolean;
  /** It has not begun. */
  isPlanned: boolean;
}
