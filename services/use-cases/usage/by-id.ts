import { makeYieldWhenDue } from '../../../core/fairness/yield-when-due.ts';
import type { UsageLedger } from '../../../core/ports.ts';
import type { BilledEvent } from '../../../projections/usage/merkle.ts';
import type { BilledOnDay } from '../../../projections/usage/statement.ts';

/** Events that are given at a time: awaiting each would cost more than reading it. */
const BATCH = 200;

interface Reading {
  day: string;
  pages: AsyncIterator<readonly BilledEvent[]>;
  page: readonly BilledEvent[];
  at: number;
  /** The bytes of the id at `at`. */
  id: Buffer;
}

/** Moves to the next event of the page; false at its end. */
const advance = (reading: Reading): boolean => {
  reading.at++;
  const event = reading.page[reading.at];
  if (!event) return false;
  reading.id = Buffer.from(event.id);
  return true;
};

/** Moves to the first event of the next page; false where there is none. */
const turnPage = async (reading: Reading): Promise<boolean> => {
  const { done, value } = await reading.pages.next();
  if (done) return false;
  reading.page = value;
  reading.at = -1;
  return advance(reading);
};

/** Readings in the order of the ids they are at. */
const insert = (readings: Reading[], reading: Reading): void => {
  let [from, to] = [0, readings.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (Buffer.compare(readings[middle]!.id, reading.id) < 0) from = middle + 1;
    else to = middle;
  }
  readings.splice(from, 0, reading);
};

/**
 * The events of several days in the order of their ids' bytes, some at a time. Every store has a day's in
 * that order already, so the days are read side by side, and a page of each is all that is in memory.
 */
export async function* eventsById(
  ledger: Pick<UsageLedger, 'events'>,
  org: string,
  days: readonly string[],
): AsyncGenerator<readonly BilledOnDay[]> {
  const yieldWhenDue = makeYieldWhenDue();
  const readings: Reading[] = [];
  for (const day of days) {
    const pages = ledger.events(org, day)[Symbol.asyncIterator]();
    const reading: Reading = { day, pages, page: [], at: -1, id: Buffer.of() };
    if (await turnPage(reading)) insert(readings, reading);
    await yieldWhenDue();
  }
  let batch: BilledOnDay[] = [];
  for (let reading = readings.shift(); reading; reading = readings.shift()) {
    batch.push({ ...reading.page[reading.at]!, day: reading.day });
    if (advance(reading) || (await turnPage(reading))) insert(readings, reading);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
    await yieldWhenDue();
  }
  if (batch.length > 0) yield batch;
}
