import { notStored } from '../log/not-stored.ts';
import type { EventLog, NewRecord, RecordAddress } from '../ports/log/event-log.ts';
import { beginChange, noteChange } from './changes.ts';
import type { Pay, Payer } from './till.ts';

/** The log as what callers cause is appended to it: a payer comes with every append. */
export interface PaidLog extends Pick<EventLog, 'read' | 'ends' | 'partitionOf'> {
  /**
   * Takes what it costs, then appends as `EventLog` does. Also rejects with what `Pay` throws. `until`: when
   * nobody waits for it any more, by the clock of `performance.now()`.
   */
  append(records: readonly NewRecord[], payer: Payer, until?: number): Promise<RecordAddress[]>;
}

/** The only door of the use cases to the log. */
export const makePaidLog = (
  log: Pick<EventLog, 'append' | 'appendUntil' | 'read' | 'ends' | 'partitionOf'>,
  pay: Pay,
): PaidLog => ({
  read: log.read,
  ends: log.ends,
  partitionOf: log.partitionOf,
  append: async (records, payer, until) => {
    await pay(
      payer,
      records.reduce((sum, { value }) => sum + value.length, 0),
    );
    if (payer.kind !== 'notes')
      await beginChange().catch(error => {
        throw notStored(error as Error);
      });
    const addresses =
      until === undefined || !log.appendUntil
        ? await log.append(records)
        : await log.appendUntil(records, until);
    noteChange();
    return addresses;
  },
});
