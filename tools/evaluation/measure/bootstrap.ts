import { percentile } from './metrics.ts';

const RESAMPLES = 10_000;
const SEED = 1;

/** A 95 % interval. */
export interface Range {
  low: number;
  high: number;
}

export interface Interval extends Range {
  /** Mean of the differences. */
  difference: number;
  /**
   * Whether 0 lies outside of the interval: the choice of questions is then an unlikely reason for the
   * difference.
   */
  differs: boolean;
}

/** Returns numbers from 0 to 1, the same ones for a seed (mulberry32). */
export const makeRandom = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
};

/**
 * Returns the bootstrap's percentile interval (Efron & Tibshirani 1993, "An Introduction to the Bootstrap",
 * chapter 13): from the 2.5th to the 97.5th percentile of 10,000 values. The seed is fixed: the same data has
 * the same interval.
 *
 * @param valueOfSample draws the data again, by numbers from 0 to 1
 */
const bootstrap = (valueOfSample: (random: () => number) => number): Range => {
  const random = makeRandom(SEED);
  const values = Array.from({ length: RESAMPLES }, () => valueOfSample(random));
  return { low: percentile(values, 0.025), high: percentile(values, 0.975) };
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/**
 * Returns the paired bootstrap (for the measures of information retrieval: Sakai 2006, "Evaluating evaluation
 * metrics based on the bootstrap"). The differences of each stratum are drawn again with replacement, as many
 * as it has, so that each conversation keeps its weight: it varies the questions of the same conversations.
 *
 * @param strata the differences after − before, one per question, by conversation; at least one
 */
export const pairedBootstrap = (strata: readonly (readonly number[])[]): Interval => {
  const count = sum(strata.map(({ length }) => length));
  const { low, high } = bootstrap(random => {
    let total = 0;
    for (const stratum of strata)
      for (let i = 0; i < stratum.length; i++) total += stratum[Math.floor(random() * stratum.length)]!;
    return total / count;
  });
  return { difference: sum(strata.flat()) / count, low, high, differs: low > 0 || high < 0 };
};

/**
 * Draws whole conversations again with replacement, each with all its questions (the cluster bootstrap:
 * Davison & Hinkley 1997, "Bootstrap Methods and their Application", section 3.8): it varies the
 * conversations. Questions of one conversation share its turns, so drawing them one by one would make the
 * interval too narrow.
 *
 * @param clusters the values of the questions of each conversation (or their paired differences), none empty
 * @returns the interval of the mean over all questions; null for fewer than two conversations
 */
export const clusterBootstrap = (clusters: readonly (readonly number[])[]): Range | null => {
  if (clusters.length < 2) return null;
  const totals = clusters.map(sum);
  return bootstrap(random => {
    let total = 0;
    let count = 0;
    for (let i = 0; i < clusters.length; i++) {
      const drawn = Math.floor(random() * clusters.length);
      total += totals[drawn]!;
      count += clusters[drawn]!.length;
    }
    return total / count;
  });
};
