import type { Condition } from '../../../domain/filter/condition.ts';
import type { Horizon } from '../../../domain/search/horizon.ts';
import type { Positions } from './event-log.ts';

/** The next part of an organization's export. */
export interface ExportChunk {
  /** The organization's events in it, as JSON. */
  lines: string[];
  /** The bills of events that are not exported, as JSON. */
  billed: string[];
  /** Ids of hidden events, when only these were requested. */
  hidden: string[];
  /** Positions at which the next part begins. */
  next: Positions;
  /** Whether this part reaches the end. */
  isLast: boolean;
}

export interface ExportRange {
  org: string;
  /** Next offsets. */
  from: Positions;
  to: Positions;
  /** Ids hidden anywhere in the range; undefined: collect only these. */
  hidden: ReadonlySet<string> | undefined;
  /** Only events of writes whose metadata passes. */
  filter?: Condition | undefined;
  /** Expired events are hidden too. */
  horizon: Horizon;
}

/** Read a part of the log that is short enough to be fair to other exports. */
export type ExportChunks = (range: ExportRange) => Promise<ExportChunk>;
