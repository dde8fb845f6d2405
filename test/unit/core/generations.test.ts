import { describe, expect, it } from 'vitest';
import { promoted, type Registered, withoutFailed, writeTargets } from '../../../core/generations.ts';

const registered: Registered = {
  last: 4,
  generations: [
    { number: 1, version: '2', state: 'dropped', reason: 'replaced' },
    { number: 2, version: '2', state: 'standby' },
    { number: 3, version: '2', state: 'serving' },
    {
      number: 4,
      version: '2',
      state: 'joined',
      positions: { 'turns/0': 7 },
      builder: { owner: 'a', beat: 3 },
    },
  ],
};
const stateOf = (of: Registered, number: number) => of.generations.find(one => one.number === number)?.state;

describe('what a projector writes to', () => {
  it('is what is served, what is joined and the standby; a batch must be in the first alone', () => {
    expect(writeTargets('recall', registered, '2')).toEqual({
      required: [3],
      optional: [2, 4],
      beside: [1],
      marked: [2, 3],
    });
    const promoting = {
      ...registered,
      generations: registered.generations.map(one =>
        one.number === 4 ? { ...one, state: 'promoting' as const } : one,
      ),
    };
    expect(writeTargets('recall', promoting, '2')).toEqual({
      required: [3, 4],
      optional: [2],
      beside: [1],
      marked: [2, 3],
    });
  });

  it('is nothing where another version is served, or is about to be', () => {
    expect(writeTargets('recall', registered, '3')).toEqual({
      kind: 'wrong version',
      reason: expect.stringMatching(/version 2, this release writes 3.*turnstone replay recall/),
    });
    expect(writeTargets('recall', undefined, '3')).toMatchObject({
      reason: expect.stringMatching(/turnstone migrate/),
    });
    const next = {
      ...registered,
      generations: [{ ...registered.generations[3]!, version: '3' }, registered.generations[2]!],
    };
    expect(writeTargets('recall', next, '2')).toMatchObject({ kind: 'wrong version' });
  });

  it('is not what another version left behind', () => {
    const after = promoted(
      {
        ...registered,
        generations: registered.generations.map(one => (one.number === 4 ? { ...one, version: '3' } : one)),
      },
      4,
      { 'turns/0': 9 },
    );
    expect(after.generations.find(({ number }) => number === 3)).toEqual({
      number: 3,
      version: '2',
      state: 'standby',
      positions: { 'turns/0': 9 },
    });
    expect(writeTargets('recall', after, '3')).toEqual({
      required: [4],
      optional: [],
      beside: [1, 2, 3],
      marked: [4],
    });
  });
});

describe('a promotion', () => {
  it('keeps the one that was served, and drops the one before it', () => {
    const after = promoted(registered, 4, {});
    expect([2, 3, 4].map(number => stateOf(after, number))).toEqual(['dropped', 'standby', 'serving']);
    expect(after.generations.find(({ number }) => number === 4)).toEqual({
      number: 4,
      version: '2',
      state: 'serving',
    });
  });
});

describe('a generation that fails', () => {
  it('is dropped as a standby, left to its builder as a joined one, and kept where a batch must be in it', () => {
    expect(stateOf(withoutFailed(registered, 2, 'blocked')!, 2)).toBe('dropped');
    expect(stateOf(withoutFailed(registered, 4, 'blocked')!, 4)).toBe('building');
    expect(withoutFailed(registered, 3, 'blocked')).toBeUndefined();
    expect(withoutFailed(registered, 1, 'gone')).toBe(registered);
  });
});
