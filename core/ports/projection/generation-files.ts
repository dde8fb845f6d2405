import type { Positions } from '../log/event-log.ts';

/** Numbers of the generations in a data folder, by role. */
export interface GenerationNames {
  /** The highest number ever assigned: numbers are never reused. */
  last: number;
  serving: number;
  standby: number | null;
  building: number | null;
}

/** The generations of the projections in a data folder. Each is a separate file that can be removed. */
export interface GenerationFiles {
  names(): GenerationNames;
  /** Write atomically and durably before returning. */
  write(changes: Partial<GenerationNames>): void;
  path(number: number): string;
  /** Return undefined when there is no file of the current format. */
  about(number: number): { version: string; positions: Positions; model?: string | undefined } | undefined;
  bytes(number: number): number;
  remove(number: number): void;
  /** The generations that were damaged when the folder was opened; they are set aside. */
  damaged: readonly { number: number; reason: string }[];
  /** Prevent the file from being read after this process has ended. */
  markDamaged(number: number, reason: string): void;
  /** Keep a damaged file under another name, replacing the last one that was kept. */
  setAside(number: number): void;
  /** Remove the file that was set aside, if there is one: erasures don't reach it. */
  removeSetAside(): void;
  /** The version that this build writes. */
  version: string;
}
