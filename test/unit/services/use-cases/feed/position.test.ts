import { describe, expect, it } from 'vitest';
import {
  atPositions,
  decodePosition,
  encodePosition,
  isWithin,
} from '../../../../../services/use-cases/feed/position.ts';

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const ID_BYTES = Array<number>(16).fill(0x0a);
const ID = `obs_${'0a'.repeat(16)}`;

describe('a position of the feed', () => {
  it('is read as it was written', () => {
    const position = {
      'turns/0': { offset: 7 },
      'turns/1': { offset: 0 },
      'turns/2': { offset: 3, after: ID },
      // The event at index 7 of the record.
      'turns/3': { offset: 3 + 7 / 256, after: ID },
      'observations/0': { offset: 9 },
    };
    expect(decodePosition(encodePosition(position))).toEqual(position);
  });

  it('is read as it was written in an installation of many partitions', () => {
    const position = {
      'turns/0': { offset: 7 },
      'turns/64': { offset: Number.MAX_SAFE_INTEGER },
      'turns/1023': { offset: 300 + 255 / 256, after: `trn_${'f0'.repeat(16)}` },
      'observations/999': { offset: 0, after: ID },
    };
    const text = encodePosition(position);
    expect(decodePosition(text)).toEqual(position);
    const bytes = Buffer.from(text, 'base64url');
    for (const [at] of bytes.entries()) {
      expect(decodePosition(bytes.subarray(0, at).toString('base64url')), `cut at ${at}`).toBeUndefined();
    }
    expect(decodePosition(`${text}AA`)).toBeUndefined();
    expect(decodePosition(encodePosition({ 'turns/1024': { offset: 1 } }))).toBeUndefined();
  });

  it('is short as long as few of a thousand partitions are named, and fits into a header with all', () => {
    const names = Array.from({ length: 1_000 }, (_, n) => [`turns/${n}`, `observations/${n}`]).flat();
    const position = Object.fromEntries(names.map((name, n) => [name, { offset: 1_000_000 + n }]));
    const few = ['turns/3', 'turns/500', 'turns/999', 'observations/3'];
    const text = encodePosition(position, few);
    expect(text.length).toBeLessThan(64);
    expect(decodePosition(text)).toEqual(Object.fromEntries(few.map(name => [name, position[name]])));
    expect(encodePosition(position).length).toBeLessThan(12 * 1_024);
    expect(decodePosition(encodePosition(position))).toEqual(position);
  });

  it('is nothing that somebody else made', () => {
    const foreign = [
      '',
      'now',
      'ü',
      'a'.repeat(70_000),
      base64(null),
      base64({}),
      base64([1, [7, 0], [9]]),
      ...[[2], [2, 0], [2, 0, 0, 0], [2, 1, 0, 0x80], [2, 1, 1, 5, 2, ...ID_BYTES, 0]].map(bytes =>
        Buffer.from(bytes).toString('base64url'),
      ),
      // As many points as no position has.
      Buffer.from([2, 255, 255, 255, 255, 255, 255, 15, 0]).toString('base64url'),
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
    // A position of more partitions than there are: what it knows of the others it has from another log.
    expect(isWithin({ 'turns/2': { offset: 0 } }, ends)).toBe(true);
    expect(isWithin({ 'turns/2': { offset: 1 } }, ends)).toBe(false);
  });
});
