import { expect, it } from 'vitest';
import type { Tokens } from '../../../../../core/ports.ts';
import { makeUsageReport } from '../../../../../services/use-cases/usage/usage-report.ts';
import { principal } from '../../../../contracts/openers/listing.ts';

/** The days of a month, on the 3rd of March, of these days with usage. */
const daysOf = async (used: [string, Tokens][], month?: string) => {
  const report = makeUsageReport({
    usage: {
      billed: async () => ({ tokensIn: 0, tokensOut: 0 }),
      daily: async (_org, from, to) => new Map(used.filter(([day]) => day >= from && day <= to)),
    },
    clock: () => Date.parse('2026-03-03T00:00:00Z'),
  });
  return (await report.usageDaily(principal(), month)).days;
};

it('tells every day that has begun, those without usage too', async () => {
  const used: [string, Tokens][] = [
    ['2026-03-02', { tokensIn: 3, tokensOut: 4 }],
    ['2026-02-28', { tokensIn: 9, tokensOut: 9 }],
  ];
  expect(await daysOf(used)).toEqual([
    { day: '2026-03-01', tokens_in: 0, tokens_out: 0 },
    { day: '2026-03-02', tokens_in: 3, tokens_out: 4 },
    { day: '2026-03-03', tokens_in: 0, tokens_out: 0 },
  ]);
  const february = await daysOf(used, '2026-02');
  expect(february).toHaveLength(28);
  expect(february.at(-1)).toEqual({ day: '2026-02-28', tokens_in: 9, tokens_out: 9 });
  expect(await daysOf(used, '2026-04')).toEqual([]);
});

it('tells a day that has begun by the clock of another instance alone', async () => {
  const days = await daysOf([['2026-03-04', { tokensIn: 1, tokensOut: 0 }]]);
  expect(days.map(({ day }) => day)).toEqual(['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04']);
  expect(days.at(-1)).toMatchObject({ tokens_in: 1 });
});
