/**
 * Histories of one process that dies, whose clock jumps and whose disk fails. `TURNSTONE_SIMULATOR_SEED` runs
 * that seed alone, `TURNSTONE_SIMULATOR_STEPS` sets how long its history is.
 */
import { describe, expect, it } from 'vitest';
import { rounds } from '../support/long.ts';
import { firstFailure } from './history/report.ts';
import { play } from './history/run.ts';
import { stepsOf } from './history/steps.ts';

const STEPS = Number(process.env.TURNSTONE_SIMULATOR_STEPS ?? 250);
const ONLY = process.env.TURNSTONE_SIMULATOR_SEED;
/** 10,000 steps, and two million by night. */
const HISTORIES = rounds(40, 8_000);
/** A part takes minutes at most, and says how far it came. */
const PART = 10;
const FIRST = 1_000;

const seeds = ONLY === undefined ? Array.from({ length: HISTORIES }, (_, i) => FIRST + i) : [Number(ONLY)];
const parts = Array.from({ length: Math.ceil(seeds.length / PART) }, (_, i) =>
  seeds.slice(i * PART, (i + 1) * PART),
);

it('a history runs in the same way each time', async () => {
  const steps = stepsOf(7, 120);
  expect(stepsOf(7, 120)).toEqual(steps);
  const [one, other] = [await play(steps), await play(steps)];
  expect(one.trace).toEqual(other.trace);
  expect(one.digest).toBe(other.digest);
});

describe.each(parts.map(part => ({ part, from: part[0], to: part.at(-1) })))(
  'seeds $from to $to',
  ({ part }) => {
    it('every history leads to what the model says', async () => {
      const failure = await firstFailure(part, STEPS);
      expect(failure?.text).toBeUndefined();
    });
  },
);
