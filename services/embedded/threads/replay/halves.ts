import { parsePartition } from '../../../../core/log/positions.ts';
import type { Positions, Topic } from '../../../../core/ports.ts';
import { PROJECTED_TOPICS } from '../../../../projections/all.ts';

/** The number of a thread of a build, from 1. */
export type Half = 1 | 2;

/**
 * One for each of two cores. A third thread would wait for the file, which one at a time writes, and a batch
 * that is handed from thread to thread costs a fifth of what it takes to make it.
 */
export const HALVES: readonly Half[] = [1, 2];

/** The topics of each half, in the order in which it reads them: the two should not write most at a time. */
const TOPICS: Record<Half, readonly Topic[]> = {
  1: PROJECTED_TOPICS,
  2: ['observations', 'turns'],
};

/**
 * Whether a half reads a partition. It reads half of the turns, and what was found in the other half: a
 * session's turns and what was found in them are in partitions of the same number. The rest is little, and
 * the first half's.
 */
const isOf = (half: Half, name: string): boolean => {
  const { topic, partition } = parsePartition(name);
  if (topic === 'turns') return partition % 2 === half - 1;
  if (topic === 'observations') return partition % 2 !== half - 1;
  return half === 1;
};

export const topicsOf = (half: Half): readonly Topic[] => TOPICS[half];

/** Returns the positions of the partitions that a half reads. */
export const positionsOfHalf = (half: Half, positions: Positions): Positions =>
  Object.fromEntries(Object.entries(positions).filter(([name]) => isOf(half, name)));
