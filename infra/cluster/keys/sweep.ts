import type { KeyStore } from '../../../services/core/ports.ts';
import type { KeyCopy } from './copy.ts';
import type { KeyLog } from './key-log.ts';
import type { KeyTrust } from './trust.ts';

export interface SweepPorts {
  copy: Pick<KeyCopy, 'state' | 'marked' | 'wrappedBy' | 'unmark'>;
  keyLog: Pick<KeyLog, 'sweep'>;
  trust: Pick<KeyTrust, 'assertWholeSince'>;
}

/**
 * Goes by what a user's destroyed key wrapped, never by what Redis lacks: a key that is merely missing there would take others
 * with it. Nothing is wrapped by a key that is marked any more, so one pass over the user's records finds all. A mark stays
 * until then, so that whoever looks next goes on; two at once append the same tombstones.
 */
export const makeSweep =
  ({ copy, keyLog, trust }: SweepPorts): KeyStore['sweep'] =>
  async signal => {
    let count = 0;
    for (;;) {
      const { id } = await copy.state();
      const marked = await copy.marked();
      if (marked.size === 0) return count;
      for (const [owner, wrapping] of marked) {
        let cursor = '0';
        do {
          if (signal.aborted) return count;
          const page = await copy.wrappedBy(owner, wrapping, cursor);
          await keyLog.sweep(owner, page.ids);
          count += page.ids.length;
          cursor = page.next;
        } while (cursor !== '0');
        // In a copy that was made anew meanwhile some may have been missing.
        await trust.assertWholeSince(id);
        await copy.unmark(wrapping);
      }
    }
  };
