import { expect, it } from 'vitest';
import {
  isForPresent,
  presentRow,
  recallAtFirst,
} from '../../../../../tools/evaluation/measure/for-present.ts';

it('counts evidence among the first hits', () => {
  expect(recallAtFirst([['a'], ['b', 'c'], ['d']], ['b', 'd'], 1)).toBe(0);
  expect(recallAtFirst([['a'], ['b', 'c'], ['d']], ['b', 'd'], 2)).toBe(0.5);
});

it('averages the answerable questions about the present alone', () => {
  const rows = [
    { answerable: true, present: { recallAt1: 1, recallAt3: 1 } },
    { answerable: true, present: { recallAt1: 0, recallAt3: 0.5 } },
    { answerable: false, present: { recallAt1: 1, recallAt3: 1 } },
    { answerable: true, present: null },
  ];
  expect(presentRow(rows)).toEqual({ questions: 2, recallAt1: 50, recallAt3: 75 });
  expect(presentRow(rows.slice(3))).toBeNull();
});

it('takes a question for one about the present as recall does', () => {
  expect(isForPresent('Where do I keep the keys?')).toBe(true);
  expect(isForPresent('Where did I keep the keys?')).toBe(false);
});
