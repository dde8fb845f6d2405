import type { Condition } from '../../../domain/filter/condition.ts';
import type { Horizon } from '../../../domain/search/horizon.ts';
import type { Positions } from './event-log.ts';

/** The next part of an organization's export. */
export interface ExportChunk {
  /** The organization's events in it, as JSON. */
  lines: string[];
  /** The amounts billed by events that are not shown, as JSON. */
  billed: string[];
  /** Ids of what it hides, where only these were asked for. */
  hidden: string[];
  /** Where the next part begins. */
  next: Positions;
  /** Nothing is left below the end. */
  isLast: boolean;
}

export interface ExportRange {
  org: string;
  /** Next offsets. */
  from: Positions;
  to: Positions;
  /** Ids of everything that the whole range hides; undefined: the chunk only collects these ids. */
  hidden: ReadonlySet<string> | undefined;
  /** Only what comes of writes whose metadata passes. */
  filter?: Condition | undefined;
  /** Expired events are hidden too. */
  horizon: Horizon;
}

/** Reads a part of the log, as long as is fair to others who export. */
export type ExportChunks = (range: ExportRange) => Promise<ExportChunk>;
