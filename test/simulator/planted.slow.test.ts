/** The simulator finds what was planted: at least three faults of each invariant. */
import { describe, expect, it } from 'vitest';
import { firstFailure } from './history/report.ts';
import { INVARIANTS, type Invariant } from './history/violation.ts';
import { PLANTED } from './plants/planted.ts';

const STEPS = 80;
const SEEDS = Array.from({ length: 40 }, (_, i) => i + 1);
/** Enough to halve a history a few times. */
const MOST_RUNS = 12;

it('each invariant has three planted faults', () => {
  for (const invariant of INVARIANTS)
    if (invariant !== 'errors are expected ones')
      expect(PLANTED[invariant].length, invariant).toBeGreaterThanOrEqual(3);
});

describe.each(Object.entries(PLANTED))('%s', (_, planted) => {
  it.each(planted)('is found to be broken where $what', async ({ what, found, plant }) => {
    const failure = await firstFailure(SEEDS, STEPS, { plant, mostRuns: MOST_RUNS });
    expect(failure, what).toBeDefined();
    expect(found as readonly Invariant[]).toContain(failure!.played.failure!.invariant);
    expect(failure!.steps.length).toBeLessThanOrEqual(STEPS);
    expect(failure!.text).toMatch(/^seed \d+ of 80 steps: /);
    console.log(failure!.text);
  });
});
