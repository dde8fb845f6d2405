/**
 * Sums and Merkle root of a month's billed events. The service states it, and a verification computes it
 * again.
 */
import { type BilledEvent, makeMerkleTree } from './merkle.ts';

export interface BilledOnDay extends BilledEvent {
  /** UTC, YYYY-MM-DD. */
  day: string;
}

export interface StatedDay {
  day: string;
  tokens_in: number;
  tokens_out: number;
  events: number;
}

export interface MonthTotals {
  tokens_in: number;
  tokens_out: number;
  events: number;
  /** Root of the Merkle tree over the events, ordered by id; hexadecimal. */
  root: string;
  days: StatedDay[];
}

const DAY_MS = 86_400_000;

/** The UTC days of a month, YYYY-MM. */
export const daysOfMonth = (month: string): string[] => {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const [start, end] = [Date.UTC(year, number - 1, 1), Date.UTC(year, number, 1)];
  return Array.from({ length: (end - start) / DAY_MS }, (_, n) =>
    new Date(start + n * DAY_MS).toISOString().slice(0, 10),
  );
};

/** Sums up the events of a month, which must come in the order of their ids' bytes. */
export const makeMonth = (month: string) => {
  const tree = makeMerkleTree();
  const days = new Map<string, StatedDay>(
    daysOfMonth(month).map(day => [day, { day, tokens_in: 0, tokens_out: 0, events: 0 }]),
  );
  return {
    /** Events that bill nothing don't count. Throws for another month's. */
    add: ({ day, ...event }: BilledOnDay): void => {
      if (event.tokensIn === 0 && event.tokensOut === 0) return;
      const sum = days.get(day);
      if (!sum) throw new Error('not a day of the month');
      tree.add(event);
      sum.tokens_in += event.tokensIn;
      sum.tokens_out += event.tokensOut;
      sum.events++;
    },
    totals: (): MonthTotals => {
      const all = { tokens_in: 0, tokens_out: 0, events: 0 };
      for (const { tokens_in, tokens_out, events } of days.values()) {
        all.tokens_in += tokens_in;
        all.tokens_out += tokens_out;
        all.events += events;
      }
      return { ...all, root: tree.root(), days: [...days.values()] };
    },
  };
};
