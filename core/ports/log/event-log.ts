/** `keys` is a topic of the shared log only: the embedded service stores keys in a file. */
export type Topic = 'turns' | 'observations' | 'usage' | 'accounts' | 'audit' | 'dead-letters' | 'keys';

export interface NewRecord {
  topic: Topic;
  /** Records with the same key share a partition and keep their order. */
  key: string;
  /** Overrides the partition that the key selects. */
  partition?: number;
  /** A serialised envelope (schemas/events/envelope.ts). */
  value: Uint8Array;
  headers?: Record<string, string>;
  /**
   * In a compacted topic: a later record with the same name replaces this one; with an empty value it removes
   * it.
   */
  name?: string;
}

export interface LogRecord {
  topic: Topic;
  partition: number;
  offset: number;
  name?: string;
  value: Uint8Array;
  headers: Record<string, string>;
}

/**
 * Most bytes of a page's values, unless its first record alone has more (up to some 4 MiB for a valid turn).
 * Decoding a page takes several times its size, a frame's body eight times (packed-body.ts), so this bounds
 * the memory of every reader of the log.
 */
export const PAGE_BYTES = 512 * 1024;

/** Next offset to read, by `topic/partition`. */
export type Positions = Record<string, number>;

/** The position of a record in the log. */
export interface RecordAddress {
  topic: Topic;
  partition: number;
  offset: number;
}

export interface EventLog {
  /**
   * Append the records durably (synced) and resolve with each record's address, in order. Reject with a
   * marked error (not-stored.ts) when nothing was stored; after any other error the outcome is unknown: the
   * embedded log stores all or none; Kafka may store some, or some twice.
   */
  append(records: readonly NewRecord[]): Promise<RecordAddress[]>;
  /**
   * Append as `append` does, but send nothing after the instant, by the clock of `performance.now()`; reject
   * then, with a mark when nothing was sent. Left out by a log that nothing keeps waiting.
   */
  appendUntil?(records: readonly NewRecord[], instant: number): Promise<RecordAddress[]>;
  /**
   * Return a page: records from `offset` on, in order, at most `limit` and at most `PAGE_BYTES`. Only an
   * empty page means the end; a page shorter than `limit` doesn't. Reject with `unavailable` when the records
   * at `offset` were deleted.
   */
  read(topic: Topic, partition: number, offset: number, limit: number): Promise<LogRecord[]>;
  /** Return the offset that the next record of each topic and partition will get. */
  ends(): Promise<Positions>;
  /** Return the partition, in any topic, of records with this key. */
  partitionOf(key: string): number;
  close(): Promise<void>;
}

/** A log that one process owns: its consumers poll for records and keep their own positions. */
export interface PolledLog extends EventLog {
  /** Store all or none; advance a group's positions by `commit` in the same step. */
  append(
    records: readonly NewRecord[],
    commit?: { group: string; positions: Positions },
  ): Promise<RecordAddress[]>;
  committed(group: string): Promise<Positions>;
  /**
   * Call `listener` after any append; return a function that unsubscribes. Only a hint: it may come late or
   * twice.
   */
  onAppend(listener: () => void): () => void;
}

/**
 * Why a handler leaves its records unacknowledged. `rewind`: deliver the records again from this offset.
 * `again`: deliver the same records again after a pause; the handler has reported the reason.
 */
export type NotHandled = { kind: 'rewind'; offset: number; reason: string } | { kind: 'again' };

/** A log that many processes share: each partition is assigned to one member of a group at a time. */
export interface SharedLog extends EventLog {
  /**
   * Join a group. Call `handle` with records of one partition in order, one call per partition at a time.
   * Commit the group's next offset when it resolves with nothing; deliver the same records again after a
   * pause when it rejects. Records may be delivered again after a crash or a rebalance. Abort `signal` when
   * the partition is revoked or the consumer closes; a long-running handler may then reject.
   */
  consume(options: {
    group: string;
    topics: readonly Topic[];
    handle: (records: LogRecord[], signal: AbortSignal) => Promise<void> | Promise<NotHandled | undefined>;
    /** The most events per call, unless a single record has more; default: a page of the log. */
    atOnce?: number | undefined;
    /** Called with faults that are retried. */
    onTrouble: (error: unknown) => void;
  }): Promise<Consumer>;
  /** Return the next offsets of a group; 0 without a commit. */
  committed(group: string): Promise<Positions>;
  /**
   * Return why nothing may be built from the log: it no longer begins at its first record, or could lose
   * some. One line per fault, for operators; empty when the log is whole.
   */
  faults(): Promise<string[]>;
}

export interface Consumer {
  /** Deliver again from these offsets, in the partitions that this member holds. */
  rewind(positions: Positions): void;
  /** Finish and commit the batches in progress, then leave the group. */
  close(): Promise<void>;
}
