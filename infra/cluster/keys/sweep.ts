import type { KeyStore, SharedLog } from '../../../core/ports.ts';
import type { KeyCache } from './cache/cache.ts';
import { appendTombstones } from './destroy.ts';
import type { KeyIndex, PageEnd } from './index/key-index.ts';

export interface SweepPorts {
  index: Pick<KeyIndex, 'unswept' | 'wrappedBy' | 'write'>;
  cache: Pick<KeyCache, 'removeDead'>;
  log: Pick<SharedLog, 'append'>;
}

/**
 * Sweeps the keys that a user's destroyed key wrapped; never those that the index merely lacks. A destroyed
 * key wraps only keys that were being made: their maker appends the tombstone, or the process that indexes
 * them (documents.ts). A stub counts as unswept until then, so that the next sweep continues; two at once
 * append the same tombstones.
 */
export const makeSweep =
  ({ index, cache, log }: SweepPorts): KeyStore['sweep'] =>
  async signal => {
    let count = 0;
    for (;;) {
      const stubs = await index.unswept();
      if (stubs.length === 0) return count;
      const ids = stubs.map(({ keyId }) => keyId);
      for (let after: PageEnd | undefined; ; ) {
        if (signal.aborted) return count;
        const page = await index.wrappedBy(ids, after);
        const last = page.at(-1);
        if (!last) break;
        const dead = page.flatMap(({ key }) => (key ? [key] : []));
        await appendTombstones(log, dead);
        await cache.removeDead(dead);
        count += dead.length;
        after = [last.partition, last.offset];
      }
      await index.write(stubs.map(stub => ({ ...stub, isUnswept: false })));
    }
  };
