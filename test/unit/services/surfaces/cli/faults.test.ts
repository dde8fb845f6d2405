import { expect, it } from 'vitest';
import { makeFaults } from '../../../../../services/surfaces/cli/ingest/input-faults.ts';

const told = (locations: (number | string)[]): string[] => {
  const faults = makeFaults();
  for (const location of locations) faults.add(location, ['is broken']);
  return faults.lines();
};

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, n) => from + n);

it('tells a hundred faults in full, and of the others the locations', () => {
  expect(told([1, 2])).toEqual(['line 1: is broken', 'line 2: is broken']);
  expect(told([...numbers(1, 100), 103, 105, 106, 107]).at(-1)).toBe('and 4 more: 103, 105-107');
});

it('names no more than a hundred locations beyond those', () => {
  const locations = numbers(1, 100_000).map(number => `conversation ${number}`);
  const lines = told(locations);
  expect(lines.length).toBe(101);
  expect(lines[100]).toMatch(
    /^and 99900 more: conversation 101, .*, conversation 200 and 99800 more places$/,
  );
  expect(told(numbers(1, 1_000).map(number => 2 * number)).at(-1)).toMatch(/, 400 and 800 more places$/);
});
