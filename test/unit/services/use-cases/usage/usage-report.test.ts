import { expect, it } from 'vitest';
import type { SplitAsked, Tokens, UsageSplit } from '../../../../../core/ports.ts';
import { makeUsageReport } from '../../../../../services/use-cases/usage/usage-report.ts';
import { principal } from '../../../../contracts/openers/listing.ts';

/** The days of a month, on the 3rd of March, of these days with usage. */
const daysOf = async (used: [string, Tokens][], month?: string) => {
  const report = makeUsageReport({
    usage: {
      billed: async () => ({ tokensIn: 0, tokensOut: 0 }),
      daily: async (_org, from, to) => new Map(used.filter(([day]) => day >= from && day <= to)),
    },
    split: async () => {
      throw new Error('nobody asked for it');
    },
    clock: () => Date.parse('2026-03-03T00:00:00Z'),
  });
  return (await report.usageDaily(principal(), month === undefined ? {} : { month })).days;
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

const of = (tokensIn: number, tokensOut: number): Tokens => ({ tokensIn, tokensOut });

const SPLIT: UsageSplit = {
  groups: [
    {
      user: 'ada',
      days: new Map([
        ['2026-03-01', of(3, 30)],
        ['2026-03-02', of(1, 0)],
      ]),
    },
    { user: 'grace', days: new Map([['2026-03-01', of(2, 0)]]) },
  ],
  other: new Map([['2026-03-02', of(0, 5)]]),
  erased: new Map([['2026-03-01', of(7, 0)]]),
};

/** Reports of this split, where so much more was billed on the last day. */
const splitReport = (later: Tokens) => {
  const asked: SplitAsked[] = [];
  const report = makeUsageReport({
    usage: {
      billed: async () => of(13 + later.tokensIn, 35 + later.tokensOut),
      daily: async () =>
        new Map([
          ['2026-03-01', of(12, 30)],
          ['2026-03-02', of(1 + later.tokensIn, 5 + later.tokensOut)],
        ]),
    },
    split: async (_org, one) => {
      asked.push(one);
      return SPLIT;
    },
    clock: () => Date.parse('2026-03-02T10:00:00Z'),
  });
  return { report, asked };
};

it('splits a month so that it adds up, with what is not split yet', async () => {
  const { report, asked } = splitReport(of(4, 0));
  expect(await report.usageMonth(principal(), { by: 'user', limit: 2 })).toMatchObject({
    tokens_in: 17,
    tokens_out: 35,
    split: {
      by: 'user',
      shares: [
        { user_id: 'ada', tokens_in: 4, tokens_out: 30 },
        { user_id: 'grace', tokens_in: 2, tokens_out: 0 },
      ],
      other: { tokens_in: 0, tokens_out: 5 },
      erased: { tokens_in: 7, tokens_out: 0 },
      pending: { tokens_in: 4, tokens_out: 0 },
    },
  });
  expect(asked).toEqual([{ by: 'user', from: '2026-03-01', to: '2026-03-31', user: undefined, most: 2 }]);
});

it('splits each day, and leaves out who has nothing on it', async () => {
  const { report } = splitReport(of(0, 0));
  const { days } = await report.usageDaily(principal(), { by: 'user' });
  expect(days.map(({ split }) => split!.shares)).toEqual([
    [
      { user_id: 'ada', tokens_in: 3, tokens_out: 30 },
      { user_id: 'grace', tokens_in: 2, tokens_out: 0 },
    ],
    [{ user_id: 'ada', tokens_in: 1, tokens_out: 0 }],
  ]);
  expect(days.map(({ tokens_in, tokens_out }) => [tokens_in, tokens_out])).toEqual([
    [12, 30],
    [1, 5],
  ]);
});

it('counts more than was billed as billed where a counter is a moment behind', async () => {
  const { report } = splitReport(of(-1, 0));
  const { tokens_in, split } = await report.usageMonth(principal(), { by: 'user' });
  expect([tokens_in, split!.pending]).toEqual([13, { tokens_in: 0, tokens_out: 0 }]);
});

it('tells a caller of one user its own sums, and nothing of what others are billed', async () => {
  const { report, asked } = splitReport(of(1_000, 1_000));
  const own = { ...principal(), userId: 'ada', roles: ['usage:read'] };
  const { tokens_in, tokens_out, split } = await report.usageMonth(own, { by: 'session' });
  expect(asked).toMatchObject([{ user: 'ada' }]);
  expect([tokens_in, tokens_out, split!.pending]).toEqual([13, 35, { tokens_in: 0, tokens_out: 0 }]);
});
