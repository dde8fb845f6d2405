import { offsetIn, partitionsOf } from '../../../core/log/positions.ts';
import type { SharedLog } from '../../../core/ports.ts';
import { DAY_MS, HOUR_MS } from '../../../core/time.ts';
import { type KeyIndex, trusted } from './index/key-index.ts';

const EVERY_MS = HOUR_MS;
/** A stub stays as long as a process that was replaced may still write, and as a tombstone stays in the topic. */
const STUB_MS = DAY_MS + HOUR_MS;

/**
 * Removes from the index what is of no use any more, and from its segments what was destroyed: once an hour, by any of the processes
 * that call this.
 */
export const makeKeyUpkeep =
  ({
    index,
    log,
    clock,
  }: {
    index: Pick<KeyIndex, 'takeTurn' | 'positions' | 'clean'>;
    log: Pick<SharedLog, 'ends'>;
    /** Unix milliseconds. */
    clock: () => number;
  }) =>
  async (): Promise<boolean> => {
    if (!(await index.takeTurn(EVERY_MS))) return false;
    const ends = await log.ends();
    const partitions = partitionsOf(ends, 'keys').map(({ partition }) => partition);
    // A reading that has not reached the end may still lack what a former one has.
    const complete = (await index.positions(partitions)).filter(position => {
      const { pass, offset, partition } = trusted(position, clock());
      return pass !== '' && offset >= offsetIn(ends, { topic: 'keys', partition });
    });
    await index.clean(clock() - STUB_MS, complete);
    return true;
  };
