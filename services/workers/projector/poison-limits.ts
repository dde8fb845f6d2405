/** How many poison records the projector skips before it stops: a bad deploy must not turn the log into dead letters. */
export interface PoisonLimits {
  /** Records in a row of a partition; 0: any number. */
  inARow: number;
  /** Percent of the last 1,000 records of a partition, applied from 100 poison records; 0: any share. */
  share: number;
}

/** The name of a limit. */
export type LimitName = 'in_a_row' | 'share';

const WINDOW = 1_000;
/** The share applies from this many poison records: in a quiet partition a few of them may be most of its records. */
const LEAST = 100;

/** The count of a partition's records since the start. */
interface Seen {
  records: number;
  inARow: number;
  /** The sequence numbers of poison records among the last `WINDOW` records. */
  poison: readonly number[];
}

const NOTHING: Seen = { records: 0, inARow: 0, poison: [] };

/** A limit is reached: retrying won't help, so the projector stops. */
export interface LimitReached {
  kind: 'stopped';
  limit: LimitName;
  /** The message for an operator. */
  reason: string;
}

/** `what`: the poison, for example "100 records in a row of turns/3". */
const reached = (limit: LimitName, what: string, variable: string): LimitReached => ({
  kind: 'stopped',
  limit,
  reason:
    `${what} can't be projected: stopped before passing over more. Start the release that can read them, or, ` +
    `if none can, raise ${variable} (docs/operations.md, Dead letters)`,
});

/** Returns the new count, or the limit that a record reaches. `poisoned`: for each record, whether it is poison. */
const counted = (
  seen: Seen,
  partition: string,
  poisoned: readonly boolean[],
  limits: PoisonLimits,
): Seen | LimitReached => {
  let { records, inARow } = seen;
  let poison = [...seen.poison];
  for (const isPoison of poisoned) {
    records++;
    inARow = isPoison ? inARow + 1 : 0;
    if (!isPoison) continue;
    poison = [...poison.filter(number => number > records - WINDOW), records];
    if (limits.inARow > 0 && inARow >= limits.inARow)
      return reached(
        'in_a_row',
        `${inARow} records in a row of ${partition}`,
        'TURNSTONE_DEAD_LETTERS_IN_A_ROW',
      );
    const window = Math.min(records, WINDOW);
    if (limits.share > 0 && poison.length >= LEAST && poison.length * 100 >= limits.share * window)
      return reached(
        'share',
        `${poison.length} of the last ${window} records of ${partition}`,
        'TURNSTONE_DEAD_LETTERS_SHARE',
      );
  }
  return { records, inARow, poison };
};

/** Counts in memory, per partition; a restart resets the counts. */
export const makePoisonCount = (limits: PoisonLimits) => {
  const seen = new Map<string, Seen>();
  return {
    /**
     * Counts a step's records in their order. Returns the limit that they reach, or `keep`, to be called once the step is
     * applied, since a repeated step must not count twice.
     */
    count: (partition: string, poisoned: readonly boolean[]): LimitReached | { keep: () => void } => {
      const next = counted(seen.get(partition) ?? NOTHING, partition, poisoned, limits);
      return 'kind' in next ? next : { keep: () => void seen.set(partition, next) };
    },
  };
};
