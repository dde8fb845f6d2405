import type { SharedLog } from '../../../services/core/ports.ts';
import type { KeyCopy } from './copy.ts';
import { keyRecord, type LoggedKey, tombstone } from './record.ts';

/** Tombstones per append. */
const PAGE = 1_000;

export interface KeyLog {
  /** Resolves when the keys are in the log. Concurrent calls append a key only once. */
  append(keys: readonly LoggedKey[]): Promise<void>;
  /** Destroys keys permanently, in the log and in the copy. */
  destroy(owner: string, ids: readonly string[]): Promise<void>;
  /** Removes dead keys from both: what wrapped them is destroyed. */
  sweep(owner: string, ids: readonly string[]): Promise<void>;
}

/** Writes the topic `keys` for this process. */
export const makeKeyLog = (
  log: Pick<SharedLog, 'append'>,
  copy: Pick<KeyCopy, 'forget' | 'forgetDead'>,
): KeyLog => {
  /** Appends in progress, by key id. */
  const appending = new Map<string, Promise<unknown>>();
  // Append the tombstones first: after a crash between the two steps, Redis still lists the keys to destroy.
  const bury = async (owner: string, ids: readonly string[], forget: KeyCopy['forget']): Promise<void> => {
    for (let at = 0; at < ids.length; at += PAGE) {
      const page = ids.slice(at, at + PAGE);
      await log.append(page.map(id => tombstone(owner, id)));
      await forget(owner, page);
    }
  };
  return {
    append: async keys => {
      const mine = keys.filter(({ keyId }) => !appending.has(keyId));
      if (mine.length > 0) {
        const appended = log.append(mine.map(keyRecord));
        for (const { keyId } of mine) appending.set(keyId, appended);
        const done = (): void => {
          for (const { keyId } of mine) appending.delete(keyId);
        };
        appended.then(done, done);
      }
      await Promise.all(keys.map(({ keyId }) => appending.get(keyId)));
    },
    destroy: (owner, ids) => bury(owner, ids, copy.forget),
    sweep: (owner, ids) => bury(owner, ids, copy.forgetDead),
  };
};
