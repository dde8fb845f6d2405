/** For each consumer of the log: the steps that ended their thread, and the last step that began. */
export interface StepState {
  last: {
    /** `topic/partition`. */
    partition: string;
    /** The first offset, and the next one after it. */
    from: number;
    next: number;
    records: number;
  };
  /**
   * Whether the step was computing: only then is it blamed when the whole process ends, not while it waits
   * for a disk.
   */
  computing: boolean;
  /** By partition; usually none. */
  suspects: Record<string, SuspectStep>;
}

export interface SuspectStep {
  /** Where the step began. */
  from: number;
  deaths: number;
  /** Below this offset a step has one record. */
  aloneUntil: number;
}

/** Must survive the process. It is written twice a step, so it needn't survive the machine. */
export interface StepMemory {
  read(): StepState | undefined;
  write(state: StepState): void;
}
