import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openBudgetsFile } from '../../../../../infra/embedded/admission/budgets-file.ts';
import { temporaryFolder } from '../../../../support/processes/server.ts';

const DAY_MS = 86_400_000;
const rate = { most: 3, perMs: DAY_MS };

const world = () => {
  const path = join(temporaryFolder(), 'budgets.db');
  let now = Date.parse('2026-03-10T08:00:00Z');
  return {
    path,
    open: () => openBudgetsFile(path, () => now),
    pass: (ms: number) => {
      now += ms;
    },
  };
};

it('keeps what a day has used, over the end of the process', async () => {
  const { open, pass } = world();
  const first = open();
  for (let i = 0; i < 3; i++) expect(await first.take('a', rate)).toBeUndefined();
  // Not closed: as a kill leaves it.
  const second = open();
  expect(await second.take('a', rate)).toBe(DAY_MS / 3);
  pass(DAY_MS / 3);
  expect(await second.take('a', rate)).toBeUndefined();
  expect(await second.take('a', rate)).toBe(DAY_MS / 3);
  // Rates of calls are the process's own.
  expect(await second.take('calls', { most: 1, perMs: 1_000 })).toBeUndefined();
  const third = open();
  expect(await third.take('calls', { most: 1, perMs: 1_000 })).toBeUndefined();
  for (const each of [first, second, third]) each.close();
});

it('is full where a clock that ran ahead has counted it', async () => {
  const { open, pass } = world();
  pass(400 * DAY_MS);
  const ahead = open();
  await ahead.take('a', rate);
  ahead.close();
  pass(-400 * DAY_MS);
  const back = open();
  for (let i = 0; i < 3; i++) expect(await back.take('a', rate)).toBeUndefined();
  expect(await back.take('a', rate)).toBe(DAY_MS / 3);
  back.close();
});

it('begins anew after damage', async () => {
  const { path, open } = world();
  writeFileSync(path, 'no database '.repeat(1_000));
  const buckets = open();
  expect(await buckets.take('a', rate)).toBeUndefined();
  buckets.close();
});
