import { unavailable } from '../../../services/core/errors.ts';
import type { KeyCopy } from './copy.ts';

/** Cached keys are used for so long before one command asks Redis whether any key was destroyed. */
export const TRUSTED_MS = 400;

export interface KeyTrust {
  isTrusted(): boolean;
  /** Resolves when the cache was valid at most `TRUSTED_MS` ago or, if Redis is slow, at this call. */
  trust(): Promise<void>;
  /** The same, but checks after this call. */
  trustAnew(): Promise<void>;
  /** The copy that the cached keys come from. */
  copyId(): string;
  /** Changes when the cached keys are dropped: a key read before must not be cached after. */
  generation(): number;
  /** Throws `unavailable` when the copy was rebuilt: a missing key proves nothing. Concurrent calls share a command. */
  assertWholeSince(copyId: string): Promise<void>;
}

/** Decides whether a process may go on using its cached keys; `drop` is called when it may not. */
export const makeKeyTrust = (copy: Pick<KeyCopy, 'state'>, drop: () => void): KeyTrust => {
  let generation = 0;
  let checked = { id: '', destroyed: '', at: Number.NEGATIVE_INFINITY };
  let checking: Promise<void> | undefined;
  let asking: ReturnType<typeof copy.state> | undefined;

  const check = async (): Promise<void> => {
    const at = performance.now();
    const { id, destroyed } = await copy.state();
    if (id !== checked.id || destroyed !== checked.destroyed) {
      generation++;
      drop();
    }
    checked = { id, destroyed, at };
  };
  const isTrusted = (): boolean => performance.now() - checked.at < TRUSTED_MS;
  const distrust = (): void => {
    checked.at = Number.NEGATIVE_INFINITY;
  };
  const trust = async (): Promise<void> => {
    if (checking) await checking;
    if (isTrusted()) return;
    checking ??= check().finally(() => {
      checking = undefined;
    });
    await checking;
  };

  return {
    isTrusted,
    trust,
    trustAnew: async () => {
      // A check in progress may have begun before this call.
      await checking?.catch(() => undefined);
      distrust();
      await trust();
    },
    copyId: () => checked.id,
    generation: () => generation,
    assertWholeSince: async id => {
      asking ??= Promise.resolve().then(() => {
        asking = undefined;
        return copy.state();
      });
      if ((await asking).id === id) return;
      distrust();
      throw unavailable('The sealing keys were read again from the log.');
    },
  };
};
