import type { BilledOnDay } from '../../../projections/usage/statement.ts';
import type { UsageLedger } from '../../core/ports.ts';
import { makeYieldWhenDue } from '../../core/yield-when-due.ts';

interface Reading {
  day: string;
  pages: AsyncIterator<readonly { id: string; tokensIn: number; tokensOut: number }[]>;
  page: readonly { id: string; tokensIn: number; tokensOut: number }[];
  at: number;
  /** The bytes of the id at `at`. */
  id: Buffer;
}

const open = async ({ events }: Pick<UsageLedger, 'events'>, org: string, day: string): Promise<Reading> => {
  const pages = events(org, day)[Symbol.asyncIterator]();
  return { day, pages, page: [], at: -1, id: Buffer.of() };
};

/** Moves to the next event; false at the end. */
const advance = async (reading: Reading): Promise<boolean> => {
  reading.at++;
  if (reading.at === reading.page.length) {
    const { done, value } = await reading.pages.next();
    if (done) return false;
    reading.page = value;
    reading.at = 0;
  }
  reading.id = Buffer.from(reading.page[reading.at]!.id);
  return true;
};

/**
 * The events of several days in the order of their ids' bytes. Every store has a day's in that order already, so the days are read
 * side by side, and a page of each is all that is in memory.
 */
export async function* eventsById(
  ledger: Pick<UsageLedger, 'events'>,
  org: string,
  days: readonly string[],
): AsyncGenerator<BilledOnDay> {
  const yieldWhenDue = makeYieldWhenDue();
  const readings: Reading[] = [];
  for (const day of days) {
    const reading = await open(ledger, org, day);
    if (await advance(reading)) readings.push(reading);
    await yieldWhenDue();
  }
  while (readings.length > 0) {
    let first = 0;
    for (let i = 1; i < readings.length; i++)
      if (Buffer.compare(readings[i]!.id, readings[first]!.id) < 0) first = i;
    const reading = readings[first]!;
    yield { ...reading.page[reading.at]!, day: reading.day };
    if (!(await advance(reading))) readings.splice(first, 1);
    await yieldWhenDue();
  }
}
