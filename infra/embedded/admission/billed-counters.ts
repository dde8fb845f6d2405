import type { Positions, Tokens } from '../../../core/ports.ts';
import { positionsOf, READ_POSITIONS } from '../index/file/positions.ts';
import { inSnapshot, type ProjectionsReader } from '../index/read/projections-reader.ts';
import type { Unsettled } from './unsettled.ts';

const NONE: Tokens = { tokensIn: 0, tokensOut: 0 };

export type Counter = Tokens & { reserved: number };

/** Counts organizations' billed tokens, from the projections' file and the events that it has not settled. */
export const openBilledCounters = (reader: ProjectionsReader, unsettled: Unsettled) => {
  const days = reader.prepare(
    'SELECT day, tokens_in AS tokensIn, tokens_out AS tokensOut FROM usage_days WHERE org = ? AND day BETWEEN ? AND ?',
  );
  const readPositions = reader.prepare(READ_POSITIONS);
  /** By day and organization: read once, then updated by every `remember` of this process. */
  const counters = new Map<string, Counter>();

  const snapshot = <T>(read: (positions: Positions) => T): T =>
    inSnapshot(reader, () => read(positionsOf(readPositions.all())));

  const daily = (org: string, from: string, to: string): Map<string, Tokens> =>
    snapshot(positions => {
      const sums = unsettled.tokens(org, from, to, positions);
      for (const { day, tokensIn, tokensOut } of days.all(org, from, to)) {
        const rest = sums.get(String(day)) ?? NONE;
        sums.set(String(day), {
          tokensIn: Number(tokensIn) + rest.tokensIn,
          tokensOut: Number(tokensOut) + rest.tokensOut,
        });
      }
      return sums;
    });

  const billed = (org: string, from: string, to: string): Tokens => {
    const sum = { ...NONE };
    for (const { tokensIn, tokensOut } of daily(org, from, to).values()) {
      sum.tokensIn += tokensIn;
      sum.tokensOut += tokensOut;
    }
    return sum;
  };

  return {
    daily,
    billed,
    of: (org: string, day: string): Counter => {
      const name = `${day}\n${org}`;
      let counter = counters.get(name);
      if (!counter) {
        counter = { ...billed(org, day, day), reserved: 0 };
        counters.set(name, counter);
      }
      return counter;
    },
    /** Returns the counter; undefined if the day was not read yet. */
    known: (org: string, day: string): Counter | undefined => counters.get(`${day}\n${org}`),
    reread: (): void => {
      for (const [name, counter] of counters) {
        const [day, org] = name.split('\n') as [string, string];
        Object.assign(counter, billed(org, day, day));
      }
    },
    forgetDaysBefore: (day: string): void => {
      for (const [name, { reserved }] of counters) if (name < day && reserved === 0) counters.delete(name);
    },
  };
};
