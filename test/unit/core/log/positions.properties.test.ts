import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  addressName,
  eventsBetween,
  furthest,
  hasReached,
  isBelow,
  offsetIn,
  parsePartition,
  partitionName,
  partitionsOf,
  positionsIn,
} from '../../../../core/log/positions.ts';
import type { Topic } from '../../../../core/ports.ts';
import { expectProperty } from '../../../support/properties.ts';

const topic = fc.constantFrom<Topic>('turns', 'observations', 'usage', 'accounts');
const partition = fc.nat({ max: 12 });
const offset = fc.oneof(fc.nat({ max: 5 }), fc.maxSafeNat());
const name = fc.record({ topic, partition }).map(partitionName);
const positions = fc.dictionary(name, offset, { maxKeys: 8, noNullPrototype: true });
const address = fc.record({ topic, partition, offset });

it('a partition is read from its name, and an address begins with it', () =>
  expectProperty(address, at => {
    const { topic, partition } = at;
    expect(parsePartition(partitionName(at))).toEqual({ topic, partition });
    expect(addressName(at)).toBe(`${partitionName(at)}/${at.offset}`);
  }));

it('merged positions are the same in any order and grouping, and merging them again changes nothing', () =>
  expectProperty(positions, positions, positions, (a, b, c) => {
    expect(furthest(a, b)).toEqual(furthest(b, a));
    expect(furthest(furthest(a, b), c)).toEqual(furthest(a, furthest(b, c)));
    expect(furthest(a, furthest(a, b))).toEqual(furthest(a, b));
    expect(furthest(a, {})).toEqual(a);
  }));

it('merged positions have reached both, and no others have that are behind them', () =>
  expectProperty(positions, positions, address, (a, b, at) => {
    const both = furthest(a, b);
    expect([hasReached(both, a), hasReached(both, b)]).toEqual([true, true]);
    expect(offsetIn(both, at)).toBe(Math.max(offsetIn(a, at), offsetIn(b, at)));
    expect(isBelow(both, [at])).toBe(isBelow(a, [at]) || isBelow(b, [at]));
    const behind = Object.entries(both).filter(([, next]) => next > 0);
    for (const [name, next] of behind) expect(hasReached({ ...both, [name]: next - 1 }, both)).toBe(false);
  }));

it('has no distance to what it has reached, and going further never adds to one', () =>
  expectProperty(positions, positions, positions, (from, to, more) => {
    const isThere = Object.entries(to).every(([name, next]) => (from[name] ?? 0) >= next);
    expect([hasReached(from, to), eventsBetween(from, to) === 0]).toEqual([isThere, isThere]);
    expect(eventsBetween(from, to)).toBeGreaterThanOrEqual(0);
    expect(eventsBetween(furthest(from, more), to)).toBeLessThanOrEqual(eventsBetween(from, to));
    expect(eventsBetween(to, to)).toBe(0);
  }));

it('topics divide positions, each in the order of its partitions', () =>
  expectProperty(positions, all => {
    const each = (['turns', 'observations', 'usage', 'accounts'] as const).map(one =>
      positionsIn(all, [one]),
    );
    expect(Object.assign({}, ...each)).toEqual(all);
    const ofTurns = partitionsOf(all, 'turns');
    expect(ofTurns.map(one => one.partition)).toEqual(
      ofTurns.map(one => one.partition).sort((a, b) => a - b),
    );
    expect(Object.fromEntries(ofTurns.map(one => [partitionName(one), one.offset]))).toEqual(each[0]);
  }));
