import type { Generational } from '../../../projections/all.ts';

export interface Generation {
  /** `all`: a data folder keeps the generations of all projections in one file. */
  projection: Generational | 'all';
  number: number;
  /** The version of the projection that wrote it. */
  version: string;
  /** The embedding model whose vectors are searched, where one is configured. */
  model?: string | undefined;
  /** `dropped`: no longer written to, and to be removed. */
  state: 'building' | 'serving' | 'standby' | 'dropped';
  /** Events of the log that it does not include yet. */
  behind: number;
  bytes: number;
}

/** The plan of a replay. */
export interface ReplayPlan {
  generation: Omit<Generation, 'behind' | 'bytes'>;
  /** Events to read. */
  events: number;
  /** Size of the serving generation: the new one will need about as much. */
  bytes: number;
  /** Whether it continues an interrupted replay. */
  resumed: boolean;
}

export interface ReplayProgress {
  /** `embedding`: existing turns first get their vectors of a new model. */
  phase: 'embedding' | 'building' | 'catching up';
  /** Events read so far. */
  events: number;
  /** Grows while events are appended to the log. */
  total: number;
}

/** The result of comparing a generation with the log. */
export interface Verification {
  rows: number;
  differences: number;
}

/** `refused`: the generation differs from the log. Both that and `failed` carry the reason. */
export type ReplayOutcome = 'promoted' | 'interrupted' | { refused: string } | { failed: string };

/** A generation that a single replay builds. Call in this order: build, verify, promote, end. */
export interface Replay {
  plan: ReplayPlan;
  /** Whether an interrupted replay already verified it: only the promotion is left. */
  isVerified: boolean;
  /** Read the log until the generation has nearly caught up. */
  build(): AsyncIterable<ReplayProgress>;
  verify(): Promise<Verification>;
  /** Return undefined when the generation fell behind meanwhile: it must be built and verified again. */
  promote(): Promise<{ standby: number | null } | undefined>;
  /** Called once, whatever the outcome. Drop the generation after `refused`. */
  end(outcome: ReplayOutcome): Promise<void>;
}

/**
 * Generations that are replayed, rolled back and retired together: those of a data folder, or of one
 * projection.
 */
export interface Generations {
  projection: Generation['projection'];
  list(): Promise<Generation[]>;
  plan(signal: AbortSignal): Promise<ReplayPlan>;
  /** `throttle`: the most events per second. Throw `conflict` while another replay runs. */
  begin(options: { throttle: number | undefined }, signal: AbortSignal): Promise<Replay>;
  /** Swap the standby and the serving generation. `behind`: the standby lacks events that a replay adds. */
  rollback(): Promise<{ serving: number; standby: number | null } | 'behind' | 'no standby'>;
  /** Remove the standby and other generations that are no longer written to; resolve with their numbers. */
  retire(): Promise<number[]>;
}
