import type { Positions } from './event-log.ts';

/** Numbers of the generations that a data folder holds, by what they are for. */
export interface GenerationNames {
  /** The highest ever assigned: numbers are never reused. */
  last: number;
  serving: number;
  standby: number | null;
  building: number | null;
}

/** The generations of the projections in a data folder. Each is a file that can be removed. */
export interface GenerationFiles {
  names(): GenerationNames;
  /** Atomic, and durable when it returns. */
  write(changes: Partial<GenerationNames>): void;
  path(number: number): string;
  /** Undefined when there is no file of the current format. */
  about(number: number): { version: string; positions: Positions } | undefined;
  bytes(number: number): number;
  remove(number: number): void;
  /** That this release writes. */
  version: string;
}
