import { describe, expect, it } from 'vitest';
import { makeTurnBefore } from '../../../../../services/workers/embedder/turn-before.ts';
import { turnRecorded } from '../../../../support/builders.ts';

const HOUR = '2026-03-01T10:00:00.000Z';
const LATER = '2026-03-02T10:00:00.001Z';
const said = (n: number, more: object = {}) => ({ ...turnRecorded(n), keyId: 'key-1', ...more });

/** Which turn a model reads with the last of these, by its place. */
const beforeLast = (...turns: ReturnType<typeof said>[]) => {
  const turnBefore = makeTurnBefore();
  const last = turns.map(turnBefore).at(-1);
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

  it('is forgotten of the session that was longest silent', () => {
    const turnBefore = makeTurnBefore(2);
    const [first, second, third] = ['key-1', 'key-2', 'key-3'].map((keyId, n) => said(n, { keyId }));
    for (const turn of [first!, second!, first!, third!]) turnBefore(turn);
    expect(turnBefore(said(7, { keyId: 'key-1' }))?.id).toBe(first!.id);
    expect(turnBefore(said(8, { keyId: 'key-2' }))).toBeUndefined();
  });
});
