/**
 * Returns the indices that together stay within `most` tokens, best first. One that doesn't fit is passed
 * over: a long turn must not hide the shorter ones behind it.
 */
export const withinTokens = (tokens: readonly number[], most: number): number[] => {
  let left = most;
  return tokens.flatMap((needed, at) => {
    if (needed > left) return [];
    left -= needed;
    return [at];
  });
};
