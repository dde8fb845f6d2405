import type { Corrected, StoredFact } from './stored-fact.ts';

/** An observation with what decides between it and others. */
export interface Dated {
  id: string;
  /** When its turn was said, and when the service recorded it: Unix milliseconds. */
  timestamp: number;
  recordedAt: number;
  fact?: StoredFact | undefined;
  /** What it corrects. */
  corrects?: Corrected | undefined;
}

/** An observation that says something of a subject. */
export type Fact<T extends Dated = Dated> = T & { fact: StoredFact };

/** A value while it held. Equal values in a row are one, with all of the observations that say it, the latest first. */
export interface Period<T extends Dated = Dated> {
  said: readonly [Fact<T>, ...Fact<T>[]];
  /** Unix milliseconds. */
  from: number;
  /** Undefined while it holds. Of what was corrected it is `from`: it never held. */
  until: number | undefined;
  /** What says that it no longer holds: another value, a denial or a correction. */
  endedBy: T | undefined;
}

const ARTICLE = /^(?:an?|the|my|our|his|her|their) /;

/** Values are the same whatever their case, spaces, articles and marks. */
export const sameValue = (a: string, b: string): boolean => normaliseValue(a) === normaliseValue(b);
export const normaliseValue = (value: string): string =>
  value
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{P}\p{S}\s]+/gu, ' ')
    .trim()
    .replace(ARTICLE, '');

/** Whether a denial is of this value: one that names none is of whatever holds. */
export const denies = ({ fact }: Fact, value: string): boolean =>
  fact.value === '' || sameValue(fact.value, value);
