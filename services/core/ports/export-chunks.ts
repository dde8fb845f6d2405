import type { Positions } from './event-log.ts';

/** The next part of an organization's export. */
export interface ExportChunk {
  /** The organization's events in it, as JSON. */
  lines: string[];
  /** Where the next part begins. */
  next: Positions;
  /** Nothing is left below the end. */
  isLast: boolean;
}

/** Reads a part of the log, as long as is fair to others who export, between these next offsets. */
export type ExportChunks = (range: { org: string; from: Positions; to: Positions }) => Promise<ExportChunk>;
