import { describe, expect, it } from 'vitest';
import { defaultStance, standingTime } from '../../../../../domain/facts/holds/standing-time.ts';

const at = (text: string): number => Date.parse(text);
const said = at('2025-11-20T10:00:00Z');
const standing = (stance: 'holds' | 'changed' | 'plan' | 'was', from?: string) => {
  const time = standingTime({ stance, ...(from !== undefined && { validFrom: at(from) }) }, said);
  return time === said ? 'said' : time === undefined ? undefined : new Date(time).toISOString();
};

describe('the standing time', () => {
  it.each([
    ['holds', undefined, 'said'],
    ['holds', '2019-05-04T00:00:00Z', 'said'],
    ['was', '2019-05-04T00:00:00Z', 'said'],
    ['changed', undefined, 'said'],
    ['changed', '2025-08-23T00:00:00Z', 'said'],
    ['changed', '2025-08-22T00:00:00Z', '2025-08-22T00:00:00.000Z'],
    ['plan', '2026-05-04T00:00:00Z', '2026-05-04T00:00:00.000Z'],
    ['plan', undefined, undefined],
  ] as const)('of %s from %s is %s', (stance, from, expected) =>
    expect(standing(stance, from)).toBe(expected),
  );

  it('counts a year and a month by their end, at most when it was said', () => {
    expect(standing('changed', '2019-01-01T00:00:00Z')).toBe('2019-12-31T23:59:59.999Z');
    expect(standing('changed', '2023-04-01T00:00:00Z')).toBe('2023-04-30T23:59:59.999Z');
    expect(standing('changed', '2025-01-01T00:00:00Z')).toBe('said');
    expect(standing('changed', '2025-08-01T00:00:00Z')).toBe('said');
    expect(standing('changed', '2025-07-01T00:00:00Z')).toBe('2025-07-31T23:59:59.999Z');
  });
});

describe('a fact that does not tell how it is said', () => {
  it('is a plan where it begins later, else a change where it ends something, else holds', () => {
    expect(defaultStance({ ended: false, validFrom: said + 1 }, said)).toBe('plan');
    expect(defaultStance({ ended: true, validFrom: said + 1 }, said)).toBe('plan');
    expect(defaultStance({ ended: true, validFrom: said }, said)).toBe('changed');
    expect(defaultStance({ ended: false, validFrom: said }, said)).toBe('holds');
    expect(defaultStance({ ended: false, validFrom: undefined }, said)).toBe('holds');
  });
});
