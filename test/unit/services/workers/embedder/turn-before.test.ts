import { describe, expect, it } from 'vitest';
import { makeTurnsBefore } from '../../../../../services/workers/embedder/turn-before.ts';
import { turnRecorded } from '../../../../support/worlds/builders.ts';

const HOUR = '2026-03-01T10:00:00.000Z';
const LATER = '2026-03-02T10:00:00.001Z';
const NONE = new Set<string>();
const said = (n: number, more: object = {}) => ({ ...turnRecorded(n), keyId: 'key-1', offset: n, ...more });

/** Which turn a model reads with the last of these, by its place. */
const beforeLast = (...turns: ReturnType<typeof said>[]) => {
  const last = makeTurnsBefore()(turns, NONE).at(-1);
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

  it('does not stand later in the log, when the same turns come again after a failure', () => {
    const turnsBefore = makeTurnsBefore();
    const turns = [said(0), said(1), said(1, { id: 'trn_last', index: 1 })];
    const idsOf = () => turnsBefore(turns, NONE).map(one => one?.id);
    expect(idsOf()).toEqual([undefined, turns[0]!.id, turns[1]!.id]);
    expect(idsOf()).toEqual([undefined, turns[0]!.id, turns[1]!.id]);
  });

  it('is none that was retracted, and none that says nothing', () => {
    const turnsBefore = makeTurnsBefore();
    const first = said(0);
    turnsBefore([first], NONE);
    expect(turnsBefore([said(1)], new Set([first.id]))).toEqual([undefined]);
    const blank = said(2, { data: { ...said(2).data, text: ' ' } });
    expect(turnsBefore([blank, said(3)], NONE)[1]).toBeUndefined();
  });

  it('is forgotten of the session that was longest silent', () => {
    const turnsBefore = makeTurnsBefore(2);
    const [first, second, third] = ['key-1', 'key-2', 'key-3'].map((keyId, n) => said(n, { keyId }));
    const again = said(5, { keyId: 'key-1' });
    turnsBefore([first!, second!, again, third!], NONE);
    const next = (keyId: string) => turnsBefore([said(7, { keyId })], NONE)[0]?.id;
    expect(next('key-1')).toBe(again.id);
    expect(next('key-2')).toBeUndefined();
  });
});
