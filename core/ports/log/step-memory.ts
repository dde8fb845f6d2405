/** Where steps of a consumer of the log ended their thread, and the last one that began. */
export interface StepState {
  last: {
    /** `topic/partition`. */
    partition: string;
    /** The first offset, and the next one after it. */
    from: number;
    next: number;
    records: number;
  };
  /** Whether it was computing: an end of the whole process is blamed on such a step, but on none that waits for a disk. */
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

/** Survives the process. It is written twice a step, so it needn't survive the machine. */
export interface StepMemory {
  read(): StepState | undefined;
  write(state: StepState): void;
}
