import type { Deadline } from '../deadline.ts';
import type { Admission, EventLog, NewRecord, RecordAddress } from '../ports.ts';
import { isNotStored } from './not-stored.ts';

export interface AppendPorts {
  log: Pick<EventLog, 'append'>;
  admission: Pick<Admission, 'release' | 'leave'>;
}

export interface AdmittedCall {
  attempt: string;
  deadline?: Deadline | undefined;
}

/**
 * Appends the records of an admitted call. The call can be cancelled until the append begins. What the attempt claimed
 * and reserved is released only when the records are certainly not in the log. After an append of unknown end it stays
 * pending, so that a retry takes it over, under the first attempt's options.
 *
 * @param make does the work that comes before the append; its records are appended
 * @returns what it made, and each record's address
 */
export const appendAdmitted = async <Made extends { records: readonly NewRecord[] }>(
  { log, admission }: AppendPorts,
  { attempt, deadline }: AdmittedCall,
  make: () => Promise<Made>,
): Promise<Made & { addresses: RecordAddress[] }> => {
  let made: Made;
  try {
    made = await make();
    deadline?.beginAppend();
  } catch (error) {
    await admission.release(attempt);
    throw error;
  }
  try {
    return { ...made, addresses: await log.append(made.records) };
  } catch (error) {
    await (isNotStored(error) ? admission.release(attempt) : admission.leave(attempt));
    throw error;
  }
};
