/** A failed call in words: what happened, and what to do about it. */
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

/** A rule may name the member that it compares with; it is labelled as any other. */
const labelled = (message: string): string =>
  message.replace(/ (since)$/, (_, member: string) => ` “${LABELS[member]}”`);

/** What the service found wrong, in words, by the member that it is about: `scope.user_id`. */
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
  tokens_in_daily: "Today's cap of tokens in",
  tokens_out_daily: "Today's cap of tokens out",
};

const quota = (error: ApiError, now: number): Told | undefined => {
  const { kind, used, limit } = (error.details ?? {}) as { kind?: string; used?: number; limit?: number };
  const cap = CAPS[kind ?? ''];
  if (!cap) return undefined;
  const opens = now + (error.retryAfter ?? 0) * 1000;
  return {
    title: `${cap} is reached`,
    lines: [
      `${number(used ?? 0)} of ${number(limit ?? 0)} tokens are used. It opens again on ${dateTime(opens)} UTC.`,
      'An operator can raise it: turnstone orgs set-limits.',
    ],
    retry: false,
  };
};

/** Failed sign-ins are counted by the service; other calls can only be by what stands before it. */
const tooMany = ({ details }: ApiError): string =>
  details?.error === 'rate_limited' ? 'Too many attempts' : 'Too many requests';

const wait = ({ retryAfter }: ApiError): string =>
  retryAfter === undefined ? 'Try again in a moment.' : `Try again in ${retryAfter} s.`;

/** `now` in Unix milliseconds, for the moment at which a cap opens again. */
export const errorInWords = (error: unknown, now: number): Told => {
  if (!(error instanceof ApiError))
    return {
      title: 'The console met a fault of its own',
      lines: ['Reload the page. Nothing is lost.'],
      retry: true,
    };
  const { status, message } = error;
  const reference = error.requestId ? [`Request ${error.requestId} names it in the service's log.`] : [];
  switch (status) {
    case 0:
      return {
        title: 'The service can not be reached',
        lines: ['It has stopped, or the network between it and this page is gone.'],
        retry: true,
      };
    case 200:
      return {
        title: 'Something else answered than the service',
        lines: [message, 'A proxy between it and this page may ask you to sign in there.'],
        retry: true,
      };
    case 400:
    case 422:
      return {
        title: 'The service refused what was entered',
        lines: Object.values(faultsOf(error)),
        retry: false,
      };
    case 401:
      return { title: 'Not signed in', lines: [message], retry: false };
    case 403:
      return { title: 'This key may not do that', lines: [message], retry: false };
    case 404:
      return { title: 'It is not there', lines: ['It was erased, or it never was.'], retry: false };
    case 429:
      return quota(error, now) ?? { title: tooMany(error), lines: [wait(error)], retry: true };
    case 503:
      return { title: 'The service is not ready', lines: [message, wait(error)], retry: true };
    default:
      return { title: 'Something went wrong in the service', lines: [message, ...reference], retry: true };
  }
};
