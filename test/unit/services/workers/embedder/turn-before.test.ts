import { describe, expect, it } from 'vitest';
import { makeTurnsBefore } from '../../../../../services/workers/embedder/turn-before.ts';
import { turnRecorded } from '../../../../support/builders.ts';

const HOUR = '2026-03-01T10:00:00.000Z';
const LATER = '2026-03-02T10:00:00.001Z';
const NONE = new Set<string>();
const said = (n: number, more: object = {}) => ({ ...turnRecorded(n), keyId: 'key-1', ...more });

/** Which turn a model reads with the last of these, by its place. */
const beforeLast = (...turns: ReturnType<typeof said>[]) => {
  const last = makeTurnsBefore()(turns, NONE).before.at(-1);
  return last && turns.findIndex(({ id }) => id === last.id);
};

describe('the turn that a model reads with another one', () => {
  it('is the one before it in its session, in the order of the log', () => {
    const other = said(1, { keyId: 'key-2' });
    expect(beforeLast(said(0), other, said(2), said(3))).toBe(2);
    expect(beforeLast(said(0), other, said(2))).toBe(0);
    expect(beforeLast(said(0), other)).toBeUndefined();
  });

  it('is none after a long turn, and not the turn itself, written again', () => {
    const long = said(1, { data: { ...said(1).data, text: 'It rained for days. '.repeat(30) } });
    expect(beforeLast(said(0), long, said(2))).toBeUndefined();
    expect(beforeLast(said(0), said(0))).toBeUndefined();
  });

  it('is none that the other one outlives by more than a day', () => {
    expect(beforeLast(said(0, { expires_at: HOUR }), said(1))).toBeUndefined();
    expect(beforeLast(said(0, { expires_at: HOUR }), said(1, { expires_at: LATER }))).toBeUndefined();
    expect(beforeLast(said(0, { expires_at: LATER }), said(1, { expires_at: HOUR }))).toBe(0);
    expect(beforeLast(said(0), said(1, { expires_at: HOUR }))).toBe(0);
    expect(beforeLast(said(0, { recorded_at: HOUR }), said(1, { recorded_at: LATER }))).toBeUndefined();
    // An import says from when a retention counts.
    const moved = { recorded_at: LATER, kept_from: HOUR };
    expect(beforeLast(said(0, { recorded_at: HOUR }), said(1, moved))).toBe(0);
  });

  it('is remembered once what was read is kept, and not before', () => {
    const turnsBefore = makeTurnsBefore();
    const [first, second, third] = [said(0), said(1), said(2)];
    turnsBefore([first], NONE).keep();
    // It fails, and the same turns come again: none stands before an earlier one.
    turnsBefore([second, third], NONE);
    const { before, keep } = turnsBefore([second, third], NONE);
    expect(before).toEqual([first, second]);
    keep();
    expect(turnsBefore([said(3)], NONE).before).toEqual([third]);
  });

  it('is none that was retracted', () => {
    const turnsBefore = makeTurnsBefore();
    const first = said(0);
    turnsBefore([first], NONE).keep();
    expect(turnsBefore([said(1)], new Set([first.id])).before).toEqual([undefined]);
  });

  it('is forgotten of the session that was longest silent', () => {
    const turnsBefore = makeTurnsBefore(2);
    const [first, second, third] = ['key-1', 'key-2', 'key-3'].map((keyId, n) => said(n, { keyId }));
    turnsBefore([first!, second!, first!, third!], NONE).keep();
    const next = (keyId: string) => turnsBefore([said(7, { keyId })], NONE).before[0]?.id;
    expect(next('key-1')).toBe(first!.id);
    expect(next('key-2')).toBeUndefined();
  });
});
