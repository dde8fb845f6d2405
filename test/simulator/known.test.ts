/** Histories by which the simulator has found faults of the product, as it has shrunk them. */
import { expect, it } from 'vitest';
import { play } from './history/run.ts';
import type { Step } from './history/steps.ts';

const scope = { org: 'acme', user: 'grace', session: 's1' };
const MINUTE = 60_000;

it('a hidden turn that is sent again is known to a process that has lost its projections', async () => {
  const steps: Step[] = [
    { op: 'write', scope, turns: [1], salt: 1773909385 },
    { op: 'retract', org: 'acme', of: 1, salt: 2031575609 },
    { op: 'kill', after: 26, lost: 'projections', salt: 993947679 },
    { op: 'write', scope, turns: [1], salt: 1733548020 },
    { op: 'look', salt: 0 },
  ];
  expect((await play(steps)).failure).toBeUndefined();
});

it.each([
  ['hidden', { op: 'retract', org: 'acme', of: 1, salt: 2 }],
  ['erased', { op: 'erase', org: 'acme', user: 'grace', salt: 2 }],
] satisfies [string, Step][])(
  'a turn that was %s is in no answer of a process whose projections have lost their last commits',
  async (_, taken) => {
    const steps: Step[] = [
      { op: 'write', scope, turns: [1], salt: 1 },
      { op: 'look', salt: 1 },
      { op: 'kill', after: 1, lost: 'nothing', salt: 1 },
      { op: 'list', org: 'acme', user: 'grace', salt: 1 },
      taken,
      { op: 'kill', after: 1, lost: 'unsynced', salt: 3 },
      { op: 'list', org: 'acme', user: 'grace', salt: 4 },
      { op: 'list', org: 'acme', user: 'grace', salt: 4 },
      { op: 'look', salt: 0 },
    ];
    expect((await play(steps)).failure).toBeUndefined();
  },
);

it('a retraction that came after the erasure of its session keeps its session', async () => {
  const steps: Step[] = [
    { op: 'say', scope, said: 1, salt: 1 },
    { op: 'look', salt: 1 },
    { op: 'hold', salt: 1 },
    { op: 'erase', org: 'acme', user: 'grace', salt: 1 },
    { op: 'retract', org: 'acme', of: 1, salt: 1 },
    { op: 'go', salt: 1 },
    { op: 'pass', ms: 1_000, salt: 1 },
    { op: 'write', scope: { org: 'zeta', user: 'ada', session: 's2' }, turns: [2], salt: 1 },
    { op: 'look', salt: 0 },
  ];
  expect((await play(steps)).failure).toBeUndefined();
});

it('a correction goes with what it corrects where the call that hid that was answered 503', async () => {
  const steps: Step[] = [
    { op: 'say', scope, said: 3, salt: 1 },
    { op: 'hold', salt: 1 },
    { op: 'retract', org: 'acme', of: 3, salt: 1 },
    { op: 'correct', org: 'acme', of: 3, to: 12, salt: 1 },
    { op: 'look', salt: 0 },
  ];
  expect((await play(steps)).failure).toBeUndefined();
});

it('a turn that was swept is missed by no verification after the clock was set back', async () => {
  const steps: Step[] = [
    { op: 'write', scope, turns: [4], ttlMs: 2_000, salt: 1 },
    { op: 'pass', ms: 10 * MINUTE, salt: 1 },
    { op: 'jump', ms: -60 * MINUTE, salt: 1 },
    { op: 'look', salt: 0 },
  ];
  expect((await play(steps)).failure).toBeUndefined();
});

it('a turn that a retention has swept is missed by no verification after that was taken back', async () => {
  const DAY = 24 * 60 * MINUTE;
  const steps: Step[] = [
    { op: 'write', scope, turns: [4], salt: 1 },
    { op: 'jump', ms: 30 * DAY, salt: 1 },
    { op: 'retention', org: 'acme', days: 1, salt: 1 },
    { op: 'jump', ms: 1.5 * DAY, salt: 1 },
    { op: 'pass', ms: 10 * MINUTE, salt: 1 },
    { op: 'jump', ms: -1.5 * DAY, salt: 1 },
    { op: 'jump', ms: -1.5 * DAY, salt: 1 },
    { op: 'retention', org: 'acme', days: null, salt: 1 },
    { op: 'look', salt: 0 },
  ];
  expect((await play(steps)).failure).toBeUndefined();
});

it('a receipt shows nothing that has expired in the tail', async () => {
  const steps: Step[] = [
    { op: 'hold', salt: 1 },
    { op: 'write', scope, turns: [5], ttlMs: 20 * MINUTE, salt: 1 },
    { op: 'recall', org: 'acme', user: 'grace', of: 5, receipt: 6, salt: 1 },
    { op: 'jump', ms: 26 * 60 * MINUTE, salt: 1 },
    { op: 'receipt', of: 6, salt: 1 },
  ];
  expect((await play(steps)).failure).toBeUndefined();
});
