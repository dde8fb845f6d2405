import { expect, it } from 'vitest';
import { makeTokenBuckets } from '../../../../core/fairness/token-buckets.ts';
import { type Budgets, budgetOf } from '../../../../core/payers/budgets.ts';
import { makePaidLog } from '../../../../core/payers/paid-log.ts';
import { makeTill, type Payer, TAKES_AWAY } from '../../../../core/payers/till.ts';
import { memoryLog } from '../../../support/engines/memory-log.ts';

const BUDGETS: Budgets = { names: 3, retractions: 0, erasures: 2 };

const world = ({ shortage = undefined as string | undefined } = {}) => {
  let now = 0;
  const log = memoryLog();
  const paid = makePaidLog(log, makeTill({ limiter: makeTokenBuckets(() => now), shortage: () => shortage }));
  const append = (payer: Payer, bytes = 100) =>
    paid.append([{ topic: 'turns', key: 'k', value: new Uint8Array(bytes) }], payer);
  const stored = async (): Promise<number> =>
    Object.values(await log.ends()).reduce((sum, end) => sum + end, 0);
  return {
    append,
    stored,
    pass: (ms: number) => {
      now += ms;
    },
  };
};

const from = (name: keyof Budgets, needsRoom = true, budgets = BUDGETS): Payer => ({
  kind: 'budgeted',
  budgets: [budgetOf('acme', name, budgets)],
  needsRoom,
});

it('appends until the budget of the day is used up, names the way to raise it, and stores nothing then', async () => {
  const { append, stored, pass } = world();
  for (let i = 0; i < 3; i++) await append(from('names'));
  await expect(append(from('names'))).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfter: 28_800,
    message: expect.stringContaining('turnstone orgs set-limits ORG --names N'),
  });
  expect(await stored()).toBe(3);
  pass(28_800_000);
  await append(from('names'));
  // Another budget, and one without a bound.
  await append(from('erasures'));
  for (let i = 0; i < 9; i++) await append(from('retractions'));
  expect(await stored()).toBe(14);
});

it('opens at once when it is raised', async () => {
  const { append } = world();
  for (let i = 0; i < 3; i++) await append(from('names'));
  for (let i = 0; i < 4; i++) await append(from('names', true, { ...BUDGETS, names: 4 }));
  await expect(append(from('names', true, { ...BUDGETS, names: 4 }))).rejects.toMatchObject({ status: 429 });
});

it('takes one for each 4 KiB, and the whole budget for more than it has', async () => {
  const { append, stored } = world();
  await append(from('names'), 4_097);
  await expect(append(from('names'), 4_097)).rejects.toMatchObject({ status: 429 });
  await append(from('names'), 4_096);
  await expect(append(from('names'))).rejects.toMatchObject({ status: 429 });
  await append(
    { kind: 'budgeted', budgets: [budgetOf('globex', 'names', BUDGETS)], needsRoom: true },
    99_999,
  );
  expect(await stored()).toBe(3);
});

it('refuses on a full disk what needs room, and nothing that takes away', async () => {
  const { append, stored } = world({ shortage: 'the disk has 1 MiB left' });
  await expect(append(from('names'))).rejects.toMatchObject({ code: 'unavailable', retryAfter: 5 });
  await append(from('erasures', false));
  await append(TAKES_AWAY);
  for (let i = 0; i < 9; i++) await append(TAKES_AWAY);
  expect(await stored()).toBe(11);
});
