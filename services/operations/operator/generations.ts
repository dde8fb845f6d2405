/** What the calls `generations`, `replay`, `rollback` and `retire` say, in both modes. */

export const PROJECTIONS = ['recall', 'usage', 'accounts', 'admission'] as const;
export type ProjectionName = (typeof PROJECTIONS)[number];

export interface Generation {
  projection: ProjectionName | 'all';
  number: number;
  /** Of the projection that wrote it. */
  version: string;
  /** `dropped`: written by nobody any more, to be removed. */
  state: 'building' | 'serving' | 'standby' | 'dropped';
  /** Events of the log that it doesn't show yet. */
  behind: number;
  bytes: number;
}

/** How a replay goes on. */
export type ReplayMessage =
  | {
      kind: 'plan';
      generation: Omit<Generation, 'behind' | 'bytes'>;
      /** Events to read, and about as many bytes as the serving generation has. */
      events: number;
      bytes: number;
      /** Goes on where one that was cut short had come to. */
      resumed: boolean;
      dryRun: boolean;
    }
  | {
      kind: 'progress';
      phase: 'building' | 'catching up' | 'verifying';
      /** Read so far, of `total`, which grows while it is being written to. */
      events: number;
      total: number;
      eventsPerSecond: number;
      secondsLeft: number | null;
    }
  | { kind: 'verified'; rows: number; differences: number }
  | { kind: 'promoted'; generation: number; standby: number | null; seconds: number }
  /** Of a projection without generations: what was compared with the log, and what was put right in its place. */
  | { kind: 'mended'; projection: ProjectionName; checked: number; replaced: number; removed: number };

/** What `rollback` and `retire` end with. */
export type GenerationChange =
  | { kind: 'rolled back'; projection: Generation['projection']; serving: number; standby: number | null }
  | { kind: 'retired'; projection: Generation['projection']; generation: number };
