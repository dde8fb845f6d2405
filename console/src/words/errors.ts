/** Describes a failed call: what happened and what to do about it. */
import { ApiError } from '../api/error.ts';
import { LABELS } from './labels.ts';
import { dateTime, number } from './numbers.ts';

export interface Told {
  title: string;
  lines: string[];
  /** Whether the same call may succeed later. */
  retry: boolean;
}

interface Fault {
  loc: (string | number)[];
  message: string;
}

/** Replaces the name of a member that a rule compares with by its label. */
const labelled = (message: string): string =>
  message.replace(/ (since)$/, (_, member: string) => ` “${LABELS[member]}”`);

/** Returns the faults that the service found, by member, such as `scope.user_id`. */
export const faultsOf = (error: unknown): Record<string, string> => {
  const faults = error instanceof ApiError ? error.details?.errors : undefined;
  if (!Array.isArray(faults)) return {};
  return Object.fromEntries(
    (faults as Fault[]).map(({ loc, message }) => {
      const member = loc.slice(1).join('.');
      return [member, `${(LABELS[member] ?? member) || 'The request'} ${labelled(message)}.`];
    }),
  );
};

const CAPS: Record<string, string> = {
  tokens_in_daily: "Today's cap on tokens in",
  tokens_out_daily: "Today's cap on tokens out",
};

const quota = (error: ApiError, now: number): Told | undefined => {
  const { kind, used, limit } = (error.details ?? {}) as { kind?: string; used?: number; limit?: number };
  const cap = CAPS[kind ?? ''];
  if (!cap) return undefined;
  const opens = now + (error.retryAfter ?? 0) * 1000;
  return {
    title: `${cap} has been reached`,
    lines: [
      `${number(used ?? 0)} of ${number(limit ?? 0)} tokens have been used. The cap resets on ${dateTime(opens)} UTC.`,
      'An operator can raise it: turnstone orgs set-limits.',
    ],
    retry: false,
  };
};

/**
 * Names the limit: the service limits only failed sign-ins; other calls can only be limited by a proxy in
 * front of it.
 */
const tooMany = ({ details }: ApiError): string =>
  details?.error === 'rate_limited' ? 'Too many attempts' : 'Too many requests';

const wait = ({ retryAfter }: ApiError): string =>
  retryAfter === undefined ? 'Try again in a moment.' : `Try again in ${retryAfter} s.`;

/** Describes an error; `now`, in Unix milliseconds, serves to compute when a cap resets. */
export const errorInWords = (error: unknown, now: number): Told => {
  if (!(error instanceof ApiError))
    return {
      title: 'Something went wrong in the console',
      lines: ['Reload the page. No data was lost.'],
      retry: true,
    };
  const { status, message } = error;
  const reference = error.requestId ? [`Look for request ${error.requestId} in the service's log.`] : [];
  switch (status) {
    case 0:
      return {
        title: 'The service is unreachable',
        lines: ['It has stopped, or the network connection is down.'],
        retry: true,
      };
    case 200:
      return {
        title: 'The answer did not come from the service',
        lines: [message, 'A proxy in between may require you to sign in to it.'],
        retry: true,
      };
    case 400:
    case 422:
      return {
        title: 'The service rejected the input',
        lines: Object.values(faultsOf(error)),
        retry: false,
      };
    case 401:
      return { title: 'Not signed in', lines: [message], retry: false };
    case 403:
      return { title: 'This key is not allowed to do that', lines: [message], retry: false };
    case 404:
      return { title: 'Not found', lines: ['It was erased or hidden, or it never existed.'], retry: false };
    case 409:
      return { title: 'That is not possible now', lines: [message], retry: false };
    case 429:
      return quota(error, now) ?? { title: tooMany(error), lines: [wait(error)], retry: true };
    case 503:
      return { title: 'The service is not ready', lines: [message, wait(error)], retry: true };
    default:
      return { title: 'Something went wrong in the service', lines: [message, ...reference], retry: true };
  }
};
