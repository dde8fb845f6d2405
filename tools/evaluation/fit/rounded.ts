/** Rounds a figure to four places, as files keep it. */
export const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;
export const named = (names: readonly string[], values: ArrayLike<number>): Record<string, number> =>
  Object.fromEntries(names.map((name, i) => [name, rounded(values[i]!)]));
