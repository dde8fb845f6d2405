/** `keys` is a topic of the shared log alone: the embedded service has a file of them. */
export type Topic = 'turns' | 'observations' | 'usage' | 'accounts' | 'dead-letters' | 'keys';

export interface NewRecord {
  topic: Topic;
  /** Records of one key share a partition and keep their order. */
  key: string;
  /** Overrides the partition that the key selects. */
  partition?: number;
  /** A serialised envelope (schemas/events/envelope.ts). */
  value: Uint8Array;
  headers?: Record<string, string>;
  /** In a compacted topic: what a later record of the same name replaces. An empty value then removes it. */
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

/** Next offset to read, by `topic/partition`. */
export type Positions = Record<string, number>;

/** Where the log holds a record. */
export interface RecordAddress {
  topic: Topic;
  partition: number;
  offset: number;
}

export interface EventLog {
  /**
   * Durable (synced) when it resolves, with each record's address, in order. When it rejects, it is unknown how much was
   * stored: the embedded log stores all or none, Kafka may hold some, or some twice.
   */
  append(records: readonly NewRecord[]): Promise<RecordAddress[]>;
  /** Records from `offset` on, in order, at most `limit`; empty at the end. */
  read(topic: Topic, partition: number, offset: number, limit: number): Promise<LogRecord[]>;
  /** The offset that the next record of each topic and partition will get. */
  ends(): Promise<Positions>;
  close(): Promise<void>;
}

/** A log that one process owns: its consumers poll for records and keep their own positions. */
export interface PolledLog extends EventLog {
  /** Stores all or none; `commit` moves a group's positions in the same step. */
  append(
    records: readonly NewRecord[],
    commit?: { group: string; positions: Positions },
  ): Promise<RecordAddress[]>;
  committed(group: string): Promise<Positions>;
  /** Calls back after any append; returns a function that unsubscribes. Only a hint: it may come late or twice. */
  onAppend(listener: () => void): () => void;
}

/** A log that many processes share: each partition is given to one member of a group at a time. */
export interface SharedLog extends EventLog {
  /**
   * Joins a group. `handle` gets records of one partition in their order, one call a partition at a time; when it
   * resolves, the group's next offset is committed; when it rejects, the same records are delivered again, after a
   * pause. A record may be delivered again after a crash or when partitions change hands. `signal` is aborted when the
   * partition is revoked or the consumer closes: a handler that would take long may then reject.
   */
  consume(options: {
    group: string;
    topics: readonly Topic[];
    handle: (records: LogRecord[], signal: AbortSignal) => Promise<void>;
    /** Most records a call, where fewer are wanted than the log would give. */
    atOnce?: number | undefined;
    /** Called with faults that are retried. */
    onTrouble: (error: unknown) => void;
  }): Promise<Consumer>;
  /** Next offsets of a group; 0 where it has none. */
  committed(group: string): Promise<Positions>;
}

export interface Consumer {
  /** Finishes and commits the batches in progress, then leaves the group. */
  close(): Promise<void>;
}
