import { offsetIn, partitionsOf } from '../../../core/log/positions.ts';
import type { SharedLog } from '../../../core/ports.ts';
import { DAY_MS, HOUR_MS } from '../../../core/time.ts';
import { type KeyIndex, trusted } from './index/key-index.ts';

const EVERY_MS = HOUR_MS;
/** A stub stays for as long as a replaced process may still write, and a tombstone stays in the topic. */
const STUB_MS = DAY_MS + HOUR_MS;

/**
 * Removes useless documents from the index and destroyed keys from its segments: once an hour, in one of the
 * processes that call this.
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
    // A pass that has not reached the end may lack documents of a former pass.
    const complete = (await index.positions(partitions)).filter(position => {
      const { pass, offset, partition } = trusted(position, clock());
      return pass !== '' && offset >= offsetIn(ends, { topic: 'keys', partition });
    });
    await index.clean(clock() - STUB_MS, complete);
    return true;
  };
