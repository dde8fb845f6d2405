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
  /** An extractor repeats an observation of the client's, which has an entry of its own. */
  superseded: boolean;
}

/** The turns and observations that the recall index holds, by their place in the log. */
export interface FeedIndex {
  /** Next offsets of `turns` and `observations`: what is below is in the index, and no more will be added below. */
  settled(): Promise<Positions>;
  /**
   * Entries of these ranges, which are of one topic: in the ranges' order, in a range by offset, of one event the turn
   * first and then its observations by id. With the next offsets up to which the ranges are complete: a replaced
   * index may be a little behind the one that `settled` was asked of.
   */
  read(
    scope: Pick<Scope, 'org' | 'user'>,
    ranges: readonly FeedRange[],
    limit: number,
  ): Promise<{ entries: FeedEntry[]; settled: Positions }>;
}

/** What the feed of one process needs. */
export interface FeedPorts {
  index: FeedIndex;
  log: Pick<EventLog, 'ends'>;
  /** Milliseconds between two reads of the positions while a stream waits. */
  everyMs: number;
}
