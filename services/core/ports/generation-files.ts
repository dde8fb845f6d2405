import type { Positions } from './event-log.ts';

/** Numbers of the generations that a data folder holds, by what they are for. */
export interface GenerationNames {
  /** The highest that was ever given: none is given twice. */
  last: number;
  serving: number;
  standby: number | null;
  building: number | null;
}

/** The generations of the projections on a data folder. Each is a file that can be thrown away. */
export interface GenerationFiles {
  names(): GenerationNames;
  /** Durable when it returns: what a restart finds. A crash leaves all of it or nothing. */
  write(changes: Partial<GenerationNames>): void;
  path(number: number): string;
  /** Undefined when there is none of the current format. */
  about(number: number): { version: string; positions: Positions } | undefined;
  bytes(number: number): number;
  remove(number: number): void;
  /** That this release writes. */
  version: string;
}
