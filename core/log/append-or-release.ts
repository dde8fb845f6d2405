import type { Admission, EventLog, NewRecord, RecordAddress } from '../ports.ts';
import type { Deadline } from '../timing/deadline.ts';
import { isNotStored } from './not-stored.ts';

/**
 * For `catch`, on the work between admission and append: releases what the attempt claimed and reserved, and rejects with the
 * same error.
 */
export const releasing =
  (admission: Pick<Admission, 'release'>, attempt: string) =>
  async (error: unknown): Promise<never> => {
    await admission.release(attempt);
    throw error;
  };

export interface AppendPorts {
  log: Pick<EventLog, 'append'>;
  admission: Pick<Admission, 'release' | 'leave'>;
}

/**
 * Appends the records of an admitted attempt; resolves with each record's address. The call can be cancelled until the append
 * begins. What the attempt claimed and reserved is released only when the records are certainly not in the log. After an
 * append of unknown end it stays pending, so that a retry takes it over, under the first attempt's options.
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
    return await log.append(records);
  } catch (error) {
    await (isSent && !isNotStored(error) ? admission.leave(attempt) : admission.release(attempt));
    throw error;
  }
};
