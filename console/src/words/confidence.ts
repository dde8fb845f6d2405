/**
 * Describes the calibrated probability that the best 15 hits contain the answer, in the command line's words.
 */
export const confidenceInWords = (confidence: number): string => {
  if (confidence >= 0.8) return 'very likely answered';
  if (confidence >= 0.6) return 'likely answered';
  if (confidence >= 0.3) return 'perhaps answered';
  return confidence >= 0.2 ? 'unlikely to be answered' : 'very unlikely to be answered';
};

/** Explains the meaning of the number. */
export const confidenceExplained = (confidence: number): string => {
  if (confidence === 0) return 'Nothing was found, so the confidence is 0.';
  const share = Math.round(confidence * 100);
  const among = share >= 100 ? 'more than 99' : share <= 0 ? 'less than 1' : `about ${share}`;
  return `Of 100 questions with this confidence, ${among} are answered among the best 15 hits of all kinds, regardless of how many and which are shown. It does not say by which hit.`;
};
