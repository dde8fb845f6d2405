import { describe, expect, it } from 'vitest';
import {
  atPositions,
  decodePosition,
  encodePosition,
  isWithin,
} from '../../../../../services/use-cases/feed/position.ts';

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const ID = `obs_${'0a'.repeat(16)}`;

describe('a position of the feed', () => {
  it('is read as it was written', () => {
    const position = {
      'turns/0': { offset: 7 },
      'turns/1': { offset: 0 },
      'turns/2': { offset: 3, after: ID },
      'observations/0': { offset: 9 },
    };
    expect(decodePosition(encodePosition(position))).toEqual(position);
    // A place that isn't named is at its beginning.
    expect(decodePosition(encodePosition({ 'turns/1': { offset: 2 } }))).toEqual({
      'turns/0': { offset: 0 },
      'turns/1': { offset: 2 },
    });
  });

  it('is nothing that somebody else made', () => {
    const foreign = [
      '',
      'now',
      'ü',
      'a'.repeat(70_000),
      base64(null),
      base64({}),
      base64([2, [], []]),
      base64([1, []]),
      base64([1, [], [], []]),
      base64([1, [-1], []]),
      base64([1, [1.5], []]),
      base64([1, ['1'], []]),
      base64([1, [2 ** 60], []]),
      base64([1, [[1]], []]),
      base64([1, [[1, 'obs_1']], []]),
      base64([1, [[1, ID, 2]], []]),
      base64([1, Array(1_025).fill(0), []]),
    ];
    for (const text of foreign) expect(decodePosition(text), text.slice(0, 40)).toBeUndefined();
  });

  it('is of a log that reaches as far', () => {
    const ends = { 'turns/0': 5, 'turns/1': 2, 'observations/0': 4 };
    expect(isWithin({}, ends)).toBe(true);
    expect(isWithin(atPositions(ends), ends)).toBe(true);
    expect(isWithin({ 'turns/0': { offset: 6 } }, ends)).toBe(false);
    expect(isWithin({ 'turns/0': { offset: 4, after: ID } }, ends)).toBe(true);
    expect(isWithin({ 'turns/0': { offset: 5, after: ID } }, ends)).toBe(false);
    // Of more partitions than there are: what it knows of the others it has from another log.
    expect(isWithin({ 'turns/2': { offset: 0 } }, ends)).toBe(true);
    expect(isWithin({ 'turns/2': { offset: 1 } }, ends)).toBe(false);
  });
});
