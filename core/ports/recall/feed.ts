import type { EventLog, Positions } from '../log/event-log.ts';
import type { Scope } from './scope.ts';
import type { StoredFragment } from './turn-details.ts';

/** A range of one partition of `turns` or `observations`. */
export interface FeedRange {
  topic: 'turns' | 'observations';
  partition: number;
  /** Offsets, the second exclusive. With `after`, the first is the offset of that entry's event. */
  from: number;
  to: number;
  /** In the event at `from`, only entries after this id. */
  after?: string | undefined;
}

/** A turn or an observation, and the event that it comes from. */
export interface FeedEntry {
  fragment: Omit<StoredFragment, 'key'>;
  topic: 'turns' | 'observations';
  partition: number;
  /** The event offset (event-offset.ts). */
  offset: number;
  /** Unix milliseconds. */
  recordedAt: number;
  /** The terms of its write's metadata. */
  metadata: readonly string[];
  /** True for an extractor's observation that repeats a client's, which has its own entry. */
  superseded: boolean;
}

/** The turns and observations in the recall index, by their position in the log. */
export interface FeedIndex {
  /** Return the next offsets of `turns` and `observations` below which the index is complete and final. */
  settled(): Promise<Positions>;
  /**
   * Return those of the organizations that may have entries in the ranges, of both topics. Never omit one
   * that has: an index that can't tell returns all.
   */
  wrote(organizations: readonly string[], ranges: readonly FeedRange[]): Promise<ReadonlySet<string>>;
  /**
   * Return the names of the partitions in which an organization may have entries below the positions of an
   * earlier `settled`. Return undefined when it has too many entries to tell.
   */
  partitionsOf(org: string): Promise<ReadonlySet<string> | undefined>;
  /**
   * Return entries of these ranges, which must belong to one topic: in the ranges' order, by offset within a
   * range, and within one event the turn first, then its observations by id. Include the next offsets up to
   * which the ranges are complete: a replaced index may be slightly behind the one that answered `settled`.
   */
  read(
    scope: Pick<Scope, 'org' | 'user'>,
    ranges: readonly FeedRange[],
    limit: number,
  ): Promise<{ entries: FeedEntry[]; settled: Positions }>;
}

/** The ports and limits of a process's feed. */
export interface FeedPorts {
  index: FeedIndex;
  log: Pick<EventLog, 'ends'>;
  /** Milliseconds between two reads of the positions while a stream waits. */
  everyMs: number;
  /** The most streams of this process; an organization has at most half of them. Default: any number. */
  mostStreams?: number | undefined;
}
