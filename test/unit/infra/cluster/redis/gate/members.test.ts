import { describe, expect, it } from 'vitest';
import { hasAll, type Member, withNewcomers } from '../../../../../../infra/cluster/redis/gate/members.ts';

/** `name` is its id; its process is `name` and a number. */
const member = (name: string, changes: Partial<Member> = {}): Member => ({
  id: name,
  runId: `${name}1`,
  slots: '0-100',
  movesTo: [],
  isPrimary: true,
  primaries: [],
  unfit: undefined,
  ...changes,
});
const [a, b] = [member('a'), member('b')];
const empty = member('c', { slots: '' });

describe('what the marker lists', () => {
  it('is all, whoever else was there', () => {
    expect(hasAll('a1 b1', [a, b])).toBe(true);
    expect(hasAll('a1 b1 c1', [a, b])).toBe(true);
    expect(hasAll('a1', [a])).toBe(true);
  });

  it('is not all when a process that has slots, or receives some, is another one', () => {
    expect(hasAll('a1 b1', [a, member('b', { runId: 'b2' })])).toBe(false);
    expect(hasAll('a1 b1', [a, b, member('c')])).toBe(false);
    expect(hasAll('a1 b1', [a, b, member('c', { slots: '[7-<-a]' })])).toBe(false);
    expect(hasAll('a1 b1', [a, b, empty])).toBe(true);
  });

  it('is not all when one that was receiving slots is gone, or is another process without them', () => {
    const sends = member('a', { slots: '0-100 [7->-c]', movesTo: ['c'] });
    expect(hasAll('a1 b1 c1', [sends, b, empty])).toBe(true);
    expect(hasAll('a1 b1 c1', [sends, b])).toBe(false);
    expect(hasAll('a1 b1 c1', [sends, b, { ...empty, runId: 'c2' }])).toBe(false);
  });

  it('gets primaries without slots, and no others', () => {
    expect(withNewcomers('a1 b1', [a, b, empty])).toBe('a1 b1 c1');
    expect(withNewcomers('a1 b1 c1', [a, b, empty])).toBeUndefined();
    expect(withNewcomers('a1 b1', [a, b, member('c')])).toBeUndefined();
    expect(withNewcomers('a1 b1', [a, member('b', { runId: 'b2' }), empty])).toBe('a1 c1');
  });
});
