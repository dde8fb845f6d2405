import type { Generational } from '../../../projections/all.ts';

export interface Generation {
  /** `all`: a data folder keeps the generations of all projections in one file. */
  projection: Generational | 'all';
  number: number;
  /** Of the projection that wrote it. */
  version: string;
  /** `dropped`: no longer written to, and to be removed. */
  state: 'building' | 'serving' | 'standby' | 'dropped';
  /** Events of the log that it does not show yet. */
  behind: number;
  bytes: number;
}

/** What a replay is about to do. */
export interface ReplayPlan {
  generation: Omit<Generation, 'behind' | 'bytes'>;
  /** Events to read. */
  events: number;
  /** Of the serving generation: the new one will take about as many. */
  bytes: number;
  /** Continues a replay that was interrupted. */
  resumed: boolean;
}

export interface ReplayProgress {
  phase: 'building' | 'catching up';
  /** Read so far. */
  events: number;
  /** Grows while the log is written to. */
  total: number;
}

/** How a generation compares with the log. */
export interface Verification {
  rows: number;
  differences: number;
}

/** `refused`: it differs from the log. Both that and `failed` carry the reason. */
export type ReplayOutcome = 'promoted' | 'interrupted' | { refused: string } | { failed: string };

/** A generation that one replay alone builds, in this order: build, verify, promote, end. */
export interface Replay {
  plan: ReplayPlan;
  /** An interrupted replay had it verified already: only its promotion is left. */
  isVerified: boolean;
  /** Reads the log until the generation has nearly caught up. */
  build(): AsyncIterable<ReplayProgress>;
  verify(): Promise<Verification>;
  /** Undefined: it fell behind meanwhile, so it must be built and verified again. */
  promote(): Promise<{ standby: number | null } | undefined>;
  /** Called once, whatever happened. After `refused` the generation is dropped. */
  end(outcome: ReplayOutcome): Promise<void>;
}

/** Generations that are replayed, rolled back and retired together: of a data folder, or of one projection. */
export interface Generations {
  projection: Generation['projection'];
  list(): Promise<Generation[]>;
  plan(signal: AbortSignal): Promise<ReplayPlan>;
  /** `throttle`: events a second at most. Throws `conflict` while another replay runs. */
  begin(options: { throttle: number | undefined }, signal: AbortSignal): Promise<Replay>;
  /** The standby and the serving generation change places. `behind`: the standby lacks events that a replay adds. */
  rollback(): Promise<{ serving: number; standby: number | null } | 'behind' | 'no standby'>;
  /** Removes the standby, and what else is no longer written to; resolves with the numbers. */
  retire(): Promise<number[]>;
}
