import { expect, it } from 'vitest';
import { unavailable } from '../../../../../core/errors.ts';
import { makeUsageReader } from '../../../../../infra/cluster/clickhouse/usage-reader.ts';

const NOW = Date.parse('2026-03-03T00:30:00Z');
const DAY_MS = 86_400_000;

const daysFrom = (from: string, to: string): string[] =>
  Array.from({ length: (Date.parse(to) - Date.parse(from)) / DAY_MS + 1 }, (_, n) =>
    new Date(Date.parse(from) + n * DAY_MS).toISOString().slice(0, 10),
  );

/** Every day of the counters bills 1, every day of the store 100. */
const opened = (storeIsDown = false, projectedUntil = NOW) => {
  const asked: string[] = [];
  const reader = makeUsageReader({
    recent: async (org, days) => {
      asked.push(`${org} counters ${days.join(' ')}`);
      return new Map(days.map(day => [day, { tokensIn: 1, tokensOut: 2 }]));
    },
    stored: {
      daily: async (org, from, to) => {
        asked.push(`${org} store ${from} ${to}`);
        if (storeIsDown) throw unavailable('down');
        return new Map(daysFrom(from, to).map(day => [day, { tokensIn: 100, tokensOut: 200 }]));
      },
    },
    projectedUntil: async () => projectedUntil,
    clock: () => NOW,
  });
  return { reader, asked };
};

it('takes the latest three days from the counters and older ones from the store, each day once', async () => {
  const { reader, asked } = opened();
  // The store's: 20th to 28th of February.
  expect(await reader.billed('acme', '2026-02-20', '2026-03-03')).toEqual({
    tokensIn: 903,
    tokensOut: 1_806,
  });
  expect(asked).toEqual([
    'acme counters 2026-03-01 2026-03-02 2026-03-03',
    'acme store 2026-02-20 2026-02-28',
  ]);
});

it('asks the store only for days that are older', async () => {
  const { reader, asked } = opened(true);
  expect(await reader.billed('acme', '2026-03-03', '2026-03-03')).toEqual({ tokensIn: 1, tokensOut: 2 });
  expect((await reader.billed('acme', '2026-03-01', '2026-03-31')).tokensIn).toBe(4);
  expect(asked).toEqual([
    'acme counters 2026-03-03',
    // The fourth has begun by another instance's clock, perhaps.
    'acme counters 2026-03-01 2026-03-02 2026-03-03 2026-03-04',
  ]);
  await expect(reader.billed('acme', '2026-02-28', '2026-03-03')).rejects.toMatchObject({
    code: 'unavailable',
  });
});

it('asks the counters only for days that are recent', async () => {
  const { reader, asked } = opened();
  expect((await reader.billed('acme', '2026-02-01', '2026-02-28')).tokensIn).toBe(2_800);
  expect(await reader.billed('acme', '2027-01-01', '2027-01-31')).toEqual({ tokensIn: 0, tokensOut: 0 });
  expect(asked).toEqual(['acme store 2026-02-01 2026-02-28']);
});

it('is unavailable for a day that neither has: not fully projected, and too old for the counters', async () => {
  const end = Date.parse('2026-02-28T00:00:00Z');
  const { reader, asked } = opened(false, end);
  expect((await reader.billed('acme', '2026-02-01', '2026-02-27')).tokensIn).toBe(2_700);
  for (const [from, to] of [
    ['2026-02-28', '2026-02-28'],
    ['2026-02-01', '2026-02-28'],
    ['2026-02-20', '2026-03-03'],
  ] as const)
    await expect(reader.daily('acme', from, to)).rejects.toMatchObject({ code: 'unavailable' });
  expect(asked.filter(one => one.includes('store'))).toEqual(['acme store 2026-02-01 2026-02-27']);
  // The counters need no projector.
  expect((await reader.billed('acme', '2026-03-01', '2026-03-03')).tokensIn).toBe(3);
  expect((await opened(false, end - 1).reader.billed('acme', '2026-02-26', '2026-02-26')).tokensIn).toBe(100);
  await expect(
    opened(false, end - 1).reader.billed('acme', '2026-02-27', '2026-02-27'),
  ).rejects.toMatchObject({ code: 'unavailable' });
});

it('counts nothing for a day that the counters do not have', async () => {
  const reader = makeUsageReader({
    recent: async () => new Map([['2026-03-02', { tokensIn: 7, tokensOut: 9 }]]),
    stored: { daily: async () => new Map() },
    projectedUntil: async () => NOW,
    clock: () => NOW,
  });
  expect(await reader.billed('acme', '2026-03-01', '2026-03-03')).toEqual({ tokensIn: 7, tokensOut: 9 });
});

it('tells each day by itself, with what the counters say of the latest', async () => {
  const { reader } = opened();
  const daily = await reader.daily('acme', '2026-02-27', '2026-03-31');
  expect([...daily].map(([day, { tokensIn, tokensOut }]) => `${day} ${tokensIn} ${tokensOut}`)).toEqual([
    '2026-02-27 100 200',
    '2026-02-28 100 200',
    '2026-03-01 1 2',
    '2026-03-02 1 2',
    '2026-03-03 1 2',
    '2026-03-04 1 2',
  ]);
});
