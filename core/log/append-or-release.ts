import type { PaidLog } from '../payers/paid-log.ts';
import type { Admission, NewRecord, RecordAddress } from '../ports.ts';
import type { Deadline } from '../timing/deadline.ts';
import { isNotStored } from './not-stored.ts';

/**
 * Handler for `catch` on the work between admission and append: releases the attempt's claims and
 * reservations, then rejects with the same error.
 */
export const releasing =
  (admission: Pick<Admission, 'release'>, attempt: string) =>
  async (error: unknown): Promise<never> => {
    await admission.release(attempt);
    throw error;
  };

export interface AppendPorts {
  log: Pick<PaidLog, 'append'>;
  admission: Pick<Admission, 'release' | 'leave'>;
}

/**
 * Appends the records of an admitted attempt; resolves with each record's address. The call can be cancelled
 * until the append begins. Claims and reservations are released only when the records are certainly not in
 * the log. After an append of unknown outcome they stay pending, so that a retry takes them over, with the
 * first attempt's options.
 */
export const appendOrRelease = async (
  { log, admission }: AppendPorts,
  { attempt, deadline }: { attempt: string; deadline?: Deadline | undefined },
  records: readonly NewRecord[],
): Promise<RecordAddress[]> => {
  let isSent = false;
  try {
    deadline?.beginAppend();
    isSent = true;
    return await log.append(records, { kind: 'billed', attempt }, deadline?.appendUntil);
  } catch (error) {
    await (isSent && !isNotStored(error) ? admission.leave(attempt) : admission.release(attempt));
    throw error;
  }
};
