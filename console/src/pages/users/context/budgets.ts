/** The sizes of a context that the slider offers, in tokens: near each other where they are small. */
const BUDGETS = [
  50, 75, 100, 150, 200, 250, 300, 400, 500, 600, 800, 1_000, 1_200, 1_500, 2_000, 2_500, 3_000, 4_000, 5_000,
  6_000, 8_000,
] as const;

export const LAST_STEP = BUDGETS.length - 1;
export const budgetAt = (step: number): number => BUDGETS[step] ?? 800;

/** Returns the step nearest to a budget; that of the service's default for what is no number. */
export const stepOf = (budget: number): number => {
  const wanted = Number.isFinite(budget) && budget > 0 ? budget : 800;
  const distances = BUDGETS.map(one => Math.abs(one - wanted));
  return distances.indexOf(Math.min(...distances));
};
