/** The bins in which recalls are counted. */

/** Upper bounds of the bins of latency, milliseconds, inclusive; a last bin has none. */
export const LATENCY_BOUNDS_MS = [5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000] as const;
/** Bins of confidence, all equally wide. */
export const CONFIDENCE_BINS = 10;

/** Returns the index of the bin that a duration is in. */
export const latencyBin = (ms: number): number => {
  const at = LATENCY_BOUNDS_MS.findIndex(bound => ms <= bound);
  return at < 0 ? LATENCY_BOUNDS_MS.length : at;
};

/** Returns the index of the bin that a confidence is in: 0 to 1. */
export const confidenceBin = (confidence: number): number =>
  Math.min(Math.floor(confidence * CONFIDENCE_BINS), CONFIDENCE_BINS - 1);
