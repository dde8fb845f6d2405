/** The requests of one round of a thread as one message to the writer: their values share a buffer. */
import type { NewRecord } from '../../../core/ports.ts';
import type { WriterRequest, WriterRound } from './writer-messages.ts';

/** A request with its records whole. */
export type WriterCall = Omit<WriterRequest, 'number' | 'records' | 'values' | 'lengths'> & {
  records?: readonly NewRecord[];
};

/** Returns the bytes of the values. */
export const bytesOf = ({ records = [] }: WriterCall): number =>
  records.reduce((sum, { value }) => sum + value.length, 0);

/** Returns the message of these calls. Its buffer is to be transferred to the other thread. */
export const roundOf = (calls: readonly { number: number; call: WriterCall }[]): WriterRound => {
  const values = new Uint8Array(calls.reduce((sum, { call }) => sum + bytesOf(call), 0));
  let at = 0;
  const requests = calls.map(({ number, call: { records, ...call } }): WriterRound['requests'][number] => {
    if (!records || records.length === 0) return { ...call, number };
    const heads = records.map(({ value, ...head }) => {
      values.set(value, at);
      at += value.length;
      return head;
    });
    return { ...call, number, records: heads, lengths: records.map(({ value }) => value.length) };
  });
  return { requests, values };
};

/** Returns the requests of a message, each with its own part of the buffer. */
export const requestsOf = ({ requests, values }: WriterRound): WriterRequest[] => {
  let at = 0;
  return requests.map(request => {
    if (!request.lengths) return request;
    const start = at;
    for (const length of request.lengths) at += length;
    return { ...request, values: values.subarray(start, at) };
  });
};
