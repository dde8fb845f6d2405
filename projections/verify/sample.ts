import { fnv1a } from '../../domain/language/words/fnv.ts';

const ALL = 2 ** 32;

/**
 * Which rows are checked: those whose unit's hash is in [from, to), out of 2^32, or a list of units. Rows
 * marked `isWhole` are in every sample: a total can't be checked in part.
 */
export interface Sample {
  from: number;
  to: number;
  only?: ReadonlySet<string>;
}

export const WHOLE: Sample = { from: 0, to: ALL };

/**
 * 32-bit hash of a unit: FNV-1a, then the finalizer of MurmurHash3, since FNV-1a's high bits alone are weak.
 */
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

/** Share of all rows, 0 to 1. */
export const shareOf = ({ from, to }: Sample): number => (to - from) / ALL;

/** A range of width 1 contains one or two units and is not divided further. */
export const canHalve = ({ from, to }: Sample): boolean => to - from > 1;

/** The lower half of the sample. */
export const halved = (sample: Sample): Sample => ({
  ...sample,
  to: sample.from + Math.floor((sample.to - sample.from) / 2),
});

/** The range after the sample, at most as wide; undefined when the sample reaches the end. */
export const restOf = ({ from, to }: Sample): Sample | undefined =>
  to >= ALL ? undefined : { from: to, to: Math.min(to + (to - from), ALL) };
