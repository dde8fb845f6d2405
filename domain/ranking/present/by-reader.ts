/** Features by which the reader takes part: they follow those of the words. */

/** Names of what is added to a turn's row, and to that of a pair. */
export const READ_TURN_FEATURES = ['readAnswers'] as const;
export const READ_PAIR_FEATURES = ['readAnswers', 'readAnswersOfNow'] as const;

/** The reader alone decides nothing. */
const MOST = 6;
const bounded = (odds: number): number => Math.max(-MOST, Math.min(MOST, odds));

/**
 * Returns what is added to each turn's row: how far it is behind the best one.
 *
 * @param readings the log-odds that each turn answers the question, as the reader has it
 */
export const readTurnRows = (readings: readonly number[]): number[][] => {
  const best = Math.max(...readings);
  return readings.map(odds => [bounded(odds - best)]);
};

/** Returns what is added to the row of a turn beside the one that says what holds. */
export const readPairRow = (old: number, now: number): number[] => [bounded(old), bounded(now)];
