import { percentile } from './metrics.ts';

const RESAMPLES = 10_000;
const SEED = 1;

export interface Interval {
  /** Mean of the differences. */
  difference: number;
  /** The 95 % interval. */
  low: number;
  high: number;
  /** Whether 0 lies outside of the interval: chance in the choice of questions is an unlikely reason for the difference. */
  differs: boolean;
}

/** Numbers from 0 to 1, the same ones for a seed (mulberry32). */
const makeRandom = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
};

/**
 * Paired bootstrap with percentile intervals (Efron & Tibshirani 1993, "An Introduction to the Bootstrap", chapter 13;
 * for the measures of information retrieval: Sakai 2006, "Evaluating evaluation metrics based on the bootstrap"). The
 * differences of each stratum are drawn again with replacement, as many as it has, so that each conversation keeps its
 * weight; the interval lies between the 2.5th and the 97.5th percentile of 10,000 such means. The same differences
 * have the same interval.
 *
 * @param strata the differences after − before, a question each, by conversation; at least one
 */
export const pairedBootstrap = (strata: readonly (readonly number[])[]): Interval => {
  const count = strata.reduce((sum, stratum) => sum + stratum.length, 0);
  const mean = (draw: (stratum: readonly number[], i: number) => number): number => {
    let sum = 0;
    for (const stratum of strata) for (let i = 0; i < stratum.length; i++) sum += draw(stratum, i);
    return sum / count;
  };
  const random = makeRandom(SEED);
  const means = Array.from({ length: RESAMPLES }, () =>
    mean(stratum => stratum[Math.floor(random() * stratum.length)]!),
  );
  const low = percentile(means, 0.025);
  const high = percentile(means, 0.975);
  return { difference: mean((stratum, i) => stratum[i]!), low, high, differs: low > 0 || high < 0 };
};
