/**
 * Remembers which steps ended their thread, across restarts of the thread and of the process: a step that
 * ends it twice at one offset is repeated record by record, and a record that ends it twice alone is deadly.
 */
import type { Records } from '../../core/log/follow.ts';
import { partitionName } from '../../core/log/positions.ts';
import type { StepMemory, StepState, SuspectStep } from '../../core/ports.ts';

/** Deaths at one position before the step is changed. */
const DEATHS = 2;

export interface StepGuard {
  /** The most records of a step that begins here. */
  most(partition: string, offset: number): number;
  /** Call before a step. Returns whether its only record is deadly. */
  begin(records: Records): boolean;
  /** Call when the step waits for others from now on. */
  computed(): void;
}

const NOTHING: StepState = {
  last: { partition: '', from: 0, next: 0, records: 0 },
  computing: false,
  suspects: {},
};

/** The suspects after the thread that ran the last step has died. */
const suspectsAfterDeath = ({ last, suspects }: StepState): StepState['suspects'] => {
  const known = suspects[last.partition];
  const deaths = (known?.from === last.from ? known.deaths : 0) + 1;
  const suspect: SuspectStep =
    deaths >= DEATHS && last.records > 1
      ? { from: last.from, deaths: 0, aloneUntil: last.next }
      : { from: last.from, deaths, aloneUntil: known?.aloneUntil ?? 0 };
  return { ...suspects, [last.partition]: suspect };
};

/**
 * @param threadDied this process saw the thread before this one die; otherwise the whole process was started
 * again
 */
export const guardSteps = (memory: StepMemory, threadDied: boolean): StepGuard => {
  let state = memory.read() ?? NOTHING;
  if (state.last.records > 0 && (threadDied || state.computing))
    state = { ...state, suspects: suspectsAfterDeath(state) };

  return {
    most: (partition, offset) => {
      const suspect = state.suspects[partition];
      if (!suspect) return Number.POSITIVE_INFINITY;
      const isAlone = offset < suspect.aloneUntil || (offset === suspect.from && suspect.deaths >= DEATHS);
      return isAlone ? 1 : Number.POSITIVE_INFINITY;
    },
    begin: records => {
      const partition = partitionName(records[0]);
      const from = records[0].offset;
      const { [partition]: suspect, ...others } = state.suspects;
      // Everything before this record was handled.
      const isOver = suspect && from > suspect.from && from >= suspect.aloneUntil;
      const here = suspect && from > suspect.from ? { ...suspect, from, deaths: 0 } : suspect;
      state = {
        last: { partition, from, next: records.at(-1)!.offset + 1, records: records.length },
        computing: true,
        suspects: here && !isOver ? { ...others, [partition]: here } : others,
      };
      memory.write(state);
      return records.length === 1 && here?.from === from && here.deaths >= DEATHS;
    },
    computed: () => {
      state = { ...state, computing: false };
      memory.write(state);
    },
  };
};

/** For consumers whose process has no file to remember deaths in. */
export const NO_GUARD: StepGuard = {
  most: () => Number.POSITIVE_INFINITY,
  begin: () => false,
  computed: () => {},
};
