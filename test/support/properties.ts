/**
 * Properties: what holds of all values, tried on generated ones. A failing one prints its seed and its path,
 * and the smallest values that still fail; `fc.assert(…, { seed, path })` runs just that again.
 */
import fc from 'fast-check';
import { rounds } from './long.ts';

/** Checks it on some values; `.ci/nightly` on fifty times as many. */
export const expectProperty = <Values extends [unknown, ...unknown[]]>(
  ...values: [
    ...arbitraries: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
    holds: (...values: Values) => void,
  ]
): void => {
  fc.assert((fc.property as unknown as (...parts: unknown[]) => fc.IProperty<Values>)(...values), {
    numRuns: rounds(100, 5_000),
  });
};
