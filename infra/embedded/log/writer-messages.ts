/** The messages from connections to the writer thread, and its replies. */
import type { WrappedKey } from '../../../core/log/keys/key-wrapping.ts';
import type { NewRecord, Positions, Topic } from '../../../core/ports.ts';

export interface WriterRequest {
  number: number;
  /**
   * Stored durably before the records. A session's key is stored only if the partition's key that wraps it
   * exists.
   */
  keys?: (WrappedKey & { under?: string })[];
  /** Known keys, rewrapped; those destroyed meanwhile are ignored. */
  rewrapped?: Pick<WrappedKey, 'keyId' | 'wrapped'>[];
  /**
   * A session's next key; ignored if the session has none. The present one still opens the data that it
   * sealed.
   */
  replace?: WrappedKey & { under: string };
  /**
   * The keys of a session ('': the user's own), or keys by their ids. Keys that they wrap die with them, and
   * are swept later.
   */
  destroy?: { owner: string; session: string } | { keyIds: readonly string[] };
  /** Takes one step of removing dead keys. */
  sweep?: true;
  records?: Omit<NewRecord, 'value'>[];
  /** The records' values concatenated. */
  values?: Uint8Array;
  lengths?: number[];
  commit?: { group: string; positions: Positions };
}

/** The result of a step of removing dead keys. */
export interface Swept {
  removed: number;
  /** Another step may find more. */
  more: boolean;
  /** It was a user's last step. */
  isLast: boolean;
}

/** The requests of one round of a connection's thread. */
export interface WriterRound {
  requests: Omit<WriterRequest, 'values'>[];
  /** The values of all records, in their order: one buffer is cheaper to transfer than many. */
  values: Uint8Array;
}

export type WriterReply =
  | {
      number: number;
      addresses: { topic: Topic; partition: number; offset: number }[];
      destroyed?: string[];
      swept?: Swept;
    }
  | { number: number; error: string };

/** One message for each commit. */
export interface WriterNews {
  /** The replies to requests of this connection. */
  replies?: WriterReply[];
  /** Something was appended, by any connection. */
  appended?: true;
  /** Keys were destroyed or replaced: drop every cached key. */
  destroyed?: true;
}
