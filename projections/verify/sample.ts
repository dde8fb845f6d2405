import { fnv1a } from '../language/fnv.ts';
import type { Row } from './row.ts';

const ALL = 2 ** 32;

/**
 * Which rows are looked at: those whose unit's hash is in [from, to), in parts of 2^32, or a list of units. Sums and
 * accounts are in every sample: a sum has no part, and accounts are few.
 */
export interface Sample {
  from: number;
  to: number;
  only?: ReadonlySet<string>;
}

export const WHOLE: Sample = { from: 0, to: ALL };

/** 32 bits of a unit: FNV-1a, its bits mixed (the finalizer of MurmurHash3), since its high ones alone are weak. */
export const bucketOf = (unit: string): number => {
  let hash = fnv1a(unit);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};

export const inSample = ({ from, to, only }: Sample, unit: string): boolean => {
  if (only) return only.has(unit);
  if (from === 0 && to === ALL) return true;
  const bucket = bucketOf(unit);
  return bucket >= from && bucket < to;
};

/** 0 to 1. */
export const shareOf = ({ from, to }: Sample): number => (to - from) / ALL;

/** One part of 2^32 is a unit or two: no less is ever looked at. */
export const canHalve = ({ from, to }: Sample): boolean => to - from > 1;

/** The lower half of it. */
export const halved = (sample: Sample): Sample => ({
  ...sample,
  to: sample.from + Math.floor((sample.to - sample.from) / 2),
});

/** What is left behind it, at most as wide; undefined when it ends at the end. */
export const restOf = ({ from, to }: Sample): Sample | undefined =>
  to >= ALL ? undefined : { from: to, to: Math.min(to + (to - from), ALL) };

const ALWAYS: ReadonlySet<Row['kind']> = new Set(['day', 'organization', 'api_key', 'rotation', 'family']);

/** Rows of which every sample has all. */
export const isAlwaysWhole = (kind: Row['kind']): boolean => ALWAYS.has(kind);
