/** How much poison the projector passes over before it stops: a bad deploy must not drain the log into dead letters. */
export interface PoisonLimits {
  /** Records in a row of a partition; 0: any number. */
  inARow: number;
  /** Percent of the last 1,000 records of a partition, and at least 100 of them; 0: any share. */
  share: number;
}

/** Which of the two it was. */
export type LimitName = 'in_a_row' | 'share';

const WINDOW = 1_000;
/** Fewer are no share of anything: a quiet partition has some poison and little else. */
const LEAST = 100;

/** What was read of a partition since the start. */
interface Seen {
  records: number;
  inARow: number;
  /** Numbers of the poisoned ones, among the last `WINDOW` records. */
  poison: readonly number[];
}

const NOTHING: Seen = { records: 0, inARow: 0, poison: [] };

/** A limit is reached: retrying won't help, so the projector stops. */
export interface LimitReached {
  kind: 'stopped';
  limit: LimitName;
  /** For an operator. */
  reason: string;
}

/** `what`: the poison, as "100 records in a row of turns/3". */
const reached = (limit: LimitName, what: string, variable: string): LimitReached => ({
  kind: 'stopped',
  limit,
  reason:
    `${what} can't be projected: stopped before passing over more. Start the release that can read them, or, ` +
    `if none can, raise ${variable} (docs/operations.md, Dead letters)`,
});

/** What was read by then, or the limit that a record reaches. `poisoned`: of each record whether it is poison. */
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

/** Counts in memory, partition by partition: a restart begins anew. */
export const makePoisonCount = (limits: PoisonLimits) => {
  const seen = new Map<string, Seen>();
  return {
    /**
     * Counts a step's records in their order: the limit that they reach, or how to keep the count, which is to be called
     * once the step is applied, since a repeated step must not count twice.
     */
    count: (partition: string, poisoned: readonly boolean[]): LimitReached | { keep: () => void } => {
      const next = counted(seen.get(partition) ?? NOTHING, partition, poisoned, limits);
      return 'kind' in next ? next : { keep: () => void seen.set(partition, next) };
    },
  };
};
