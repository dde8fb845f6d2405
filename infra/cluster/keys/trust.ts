import { unavailable } from '../../../services/core/errors.ts';
import type { KeyCopy } from './copy.ts';

/** What was cached is used for so long before Redis is asked again whether any key was destroyed: one command for all. */
export const TRUSTED_MS = 400;

export interface KeyTrust {
  isTrusted(): boolean;
  /** Resolves when what is cached was in force `TRUSTED_MS` ago at most; where Redis is slow, at this call. */
  trust(): Promise<void>;
  /** The same, after everything that was done before this call. */
  trustAnew(): Promise<void>;
  /** Which copy what is cached comes from. */
  copyId(): string;
  /** Changes when the cached keys are dropped: what was read before is not cached after. */
  generation(): number;
  /** Throws `unavailable` when the copy isn't the one of then: what it lacked proves nothing. Many who ask share a command. */
  assertWholeSince(copyId: string): Promise<void>;
}

/** Tells whether a process may go on using the keys that it holds; `drop` is called when it may not. */
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
      // One that is under way may have been asked for before.
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
      throw unavailable('The sealing keys were read anew.');
    },
  };
};
