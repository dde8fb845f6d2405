/**
 * Keeps what was made of an array of corrections for as long as the array lives: who reads a user's
 * corrections gets the same array while nothing has changed (core/caches/kept-corrections.ts), and folding
 * thousands of names takes longer than most answers.
 */
export const foldedOnce = <Correction extends object, Folded extends object>(
  fold: (corrections: readonly Correction[]) => Folded,
): ((corrections: readonly Correction[]) => Folded) => {
  const known = new WeakMap<readonly Correction[], Folded>();
  return corrections => {
    const before = known.get(corrections);
    if (before) return before;
    const folded = fold(corrections);
    known.set(corrections, folded);
    return folded;
  };
};
