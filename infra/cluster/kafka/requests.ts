/** Requests to append records, which share sends and are answered one by one. */
import { unavailable } from '../../../core/errors.ts';
import { notStored } from '../../../core/log/not-stored.ts';
import type { Outgoing } from './records.ts';

export interface Request {
  offsets: number[];
  /** Number of records without an acknowledgement. */
  open: number;
  /** The sum over all its records. */
  bytes: number;
  settled: boolean;
  /** A producer got some of its records. */
  sent: boolean;
  resolve: (offsets: number[]) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout | undefined;
}

/** A record without an acknowledgement. */
export interface Waiting extends Outgoing {
  request: Request;
  /** The record's index in its request. */
  index: number;
  /** Milliseconds on the process's clock. */
  since: number;
}

/** `deadline`: milliseconds after which `offsets` rejects. */
export const makeRequest = (
  records: number,
  bytes: number,
  deadline: number,
): { request: Request; offsets: Promise<number[]> } => {
  const { promise, resolve, reject } = Promise.withResolvers<number[]>();
  const request: Request = {
    offsets: new Array<number>(records),
    open: records,
    bytes,
    settled: false,
    sent: false,
    resolve,
    reject,
    timer: undefined,
  };
  request.timer = setTimeout(giveUp, deadline, request);
  return { request, offsets: promise };
};

export const settle = ({ request, index }: Waiting, offset: number): void => {
  request.offsets[index] = offset;
  request.open--;
  if (request.open > 0 || request.settled) return;
  request.settled = true;
  clearTimeout(request.timer);
  request.resolve(request.offsets);
};

const giveUp = (request: Request): void => {
  if (request.settled) return;
  request.settled = true;
  const error = unavailable('the log did not acknowledge in time');
  request.reject(request.sent ? error : notStored(error));
};
