/** What connections send to the writer thread, and what it answers. */
import type { WrappedKey } from '../../../core/log/keys/key-wrapping.ts';
import type { NewRecord, Positions, Topic } from '../../../core/ports.ts';

export interface WriterRequest {
  number: number;
  /** Stored durably before the records. A session's key is stored only if the partition's key that wraps it exists. */
  keys?: (WrappedKey & { under?: string })[];
  /** The same keys, wrapped anew; those destroyed meanwhile are ignored. */
  rewrapped?: Pick<WrappedKey, 'keyId' | 'wrapped'>[];
  /** A session's next key. The one that it has opens what it has sealed; without one nothing is stored. */
  replace?: WrappedKey & { under: string };
  /** The keys of a session ('': the user's own), or keys by their ids. What they wrap dies with them, and is swept later. */
  destroy?: { owner: string; session: string } | { keyIds: readonly string[] };
  /** Takes one step of removing dead keys. */
  sweep?: true;
  records?: Omit<NewRecord, 'value'>[];
  /** The records' values concatenated: one buffer is cheaper to transfer than many. */
  values?: Uint8Array;
  lengths?: number[];
  commit?: { group: string; positions: Positions };
}

/** What a step of removing dead keys did. */
export interface Swept {
  removed: number;
  /** Whether another step may find more. */
  more: boolean;
  /** Whether it was a user's last step. */
  isLast: boolean;
}

export type WriterReply =
  | {
      number: number;
      places: { topic: Topic; partition: number; offset: number }[];
      destroyed?: string[];
      swept?: Swept;
    }
  | { number: number; error: string }
  | { appended: true }
  /** Keys were destroyed or replaced: drop every cached key. */
  | { destroyed: true };
