import type { EventLog, Positions } from './event-log.ts';
import type { StoredFragment } from './recall-index.ts';
import type { Scope } from './scope.ts';

/** A part of one partition of `turns` or `observations`. */
export interface FeedRange {
  topic: 'turns' | 'observations';
  partition: number;
  /** Offsets, the second exclusive. */
  from: number;
  to: number;
  /** Of the event at `from` only what comes behind this id. */
  after?: string | undefined;
}

/** A turn or an observation, and the event that it comes from. */
export interface FeedEntry {
  fragment: Omit<StoredFragment, 'key'>;
  topic: 'turns' | 'observations';
  partition: number;
  offset: number;
  /** Unix milliseconds. */
  recordedAt: number;
  /** An extractor found what the client had said: the client's entry tells it. */
  superseded: boolean;
}

/** The turns and observations that the recall index holds, by their place in the log. */
export interface FeedIndex {
  /** What is shown: next offsets of `turns` and `observations`. What lies below will not grow. */
  projected(): Promise<Positions>;
  /**
   * Entries of these ranges, which are of one topic: in the ranges' order, in a range by offset, of one event the turn
   * first and then its observations by id. With the next offsets up to which the ranges were to be had: a replaced
   * index may be a little behind the one that `projected` was asked of.
   */
  read(
    scope: Pick<Scope, 'org' | 'user'>,
    ranges: readonly FeedRange[],
    limit: number,
  ): Promise<{ entries: FeedEntry[]; projected: Positions }>;
}

/** What the feed of one process stands on. */
export interface FeedPorts {
  index: FeedIndex;
  log: Pick<EventLog, 'ends'>;
  /** Milliseconds between two looks at the positions while anybody waits. */
  everyMs: number;
}
