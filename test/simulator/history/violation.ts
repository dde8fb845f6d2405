/** The invariants: they must always hold. */
export const INVARIANTS = [
  'read your writes',
  'stored once',
  'erased stays erased',
  'hidden stays hidden',
  'expired is hidden, and not destroyed too early',
  'sums are exact',
  'what holds is the fold',
  'verify finds nothing',
  'acknowledged is kept',
  'errors are expected ones',
] as const;
export type Invariant = (typeof INVARIANTS)[number];

/** An invariant that does not hold. */
export class Violation extends Error {
  readonly invariant: Invariant;

  constructor(invariant: Invariant, found: string) {
    super(`${invariant}: ${found}`);
    this.invariant = invariant;
  }
}
