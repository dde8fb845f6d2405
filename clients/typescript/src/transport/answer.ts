/** Converts an unsuccessful answer, or a missing one, into an error. */
import { codeOf, TurnstoneError } from '../error.ts';

interface Fault {
  loc: (string | number)[];
  message: string;
}

/** The most faults in a message; the details contain all. */
const FAULTS_TOLD = 5;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The faults that a 400 or a 422 lists; empty if the list has another form. */
export const faultsOf = (details: Record<string, unknown> | null): Fault[] => {
  const errors: unknown = details?.errors;
  return Array.isArray(errors)
    ? errors.filter(each => isRecord(each) && Array.isArray(each.loc) && typeof each.message === 'string')
    : [];
};

export const faultsText = (faults: readonly Fault[]): string[] => [
  ...faults.slice(0, FAULTS_TOLD).map(({ loc, message }) => `${loc.slice(1).join('.')} ${message}`.trim()),
  ...(faults.length > FAULTS_TOLD ? [`and ${faults.length - FAULTS_TOLD} more`] : []),
];

/**
 * The text allowed in a header. Any other text fails when the header is built, with an error that repeats it.
 */
export const HEADER_TEXT = /^[\x21-\x7e]+$/;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Undefined when the text is not JSON. */
export const parsed = (text: string, reviver?: (name: string, value: unknown) => unknown): unknown => {
  try {
    return JSON.parse(text, reviver);
  } catch {
    return undefined;
  }
};

/** A reviver that removes the secret from strings and names. Before parsing, escapes could hide it. */
const without = (secret: string) => {
  const clean = (text: string): string => text.replaceAll(secret, '…');
  return (_: string, value: unknown): unknown => {
    if (typeof value === 'string') return clean(value);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [clean(name), member]));
  };
};

/** Seconds until the time that `Retry-After` gives as seconds or as a date. */
const retryAfterOf = (headers: Headers): number | undefined => {
  const value = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(value)) return Number(value);
  // Date.parse reads many numbers as years.
  if (!/^(mon|tue|wed|thu|fri|sat|sun)/i.test(value)) return undefined;
  const seconds = (Date.parse(value) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
};

export interface Refusal {
  status: number;
  headers: Headers;
  text: string;
  /** Used when the body has no request id. */
  correlationId: string;
  /** Must not appear in an error, even if the server repeated it. */
  secret: string;
}

export const refusal = ({ status, headers, text, correlationId, secret }: Refusal): TurnstoneError => {
  const body = parsed(text, without(secret));
  // A proxy's HTML page adds nothing to its status.
  const { message, details, request_id } = isRecord(body) ? body : {};
  const told = isRecord(details) ? details : null;
  const first = typeof message === 'string' ? message : `The server answered ${status}.`;
  return new TurnstoneError([first, ...faultsText(faultsOf(told))].join('\n  '), {
    status,
    code: codeOf(status, told),
    details: told,
    requestId: typeof request_id === 'string' && UUID.test(request_id) ? request_id : correlationId,
    retryAfter: retryAfterOf(headers),
  });
};

/** Redirects are not followed: they could send the key and the turns to another host. */
export const redirected = (status: number, correlationId: string): TurnstoneError =>
  new TurnstoneError(
    'The server redirected the request; baseUrl must be the address of the service itself.',
    {
      code: 'refused',
      status: status || undefined,
      requestId: correlationId,
    },
  );

export const noJson = (status: number, correlationId: string): TurnstoneError =>
  new TurnstoneError('The answer is not JSON, or it is incomplete.', {
    code: 'unexpected_answer',
    status,
    requestId: correlationId,
  });

/** JSON of another form means that another service listens at the address. */
const notOurs = (): TurnstoneError =>
  new TurnstoneError('The answer does not come from Turnstone.', { code: 'unexpected_answer', status: 200 });

/** Every answer of the service is an object. */
export const recordOf = (answer: unknown): Record<string, unknown> => {
  if (!isRecord(answer)) throw notOurs();
  return answer;
};

/** A member of an answer that must be a list. */
export const listOf = <Name extends string, Item>(
  answer: { [Member in Name]: Item[] },
  name: Name,
): Item[] => {
  const list: unknown = recordOf(answer)[name];
  if (!Array.isArray(list)) throw notOurs();
  return list;
};

/** `error` is what fetch threw. The message contains only the system's code; `cause` has the rest. */
export const unreachable = (origin: string, error: unknown, correlationId: string): TurnstoneError => {
  const { cause } = (error ?? {}) as { cause?: { code?: unknown } };
  const code = typeof cause?.code === 'string' ? ` (${cause.code})` : '';
  return new TurnstoneError(`No answer from ${origin}${code}.`, {
    code: 'network',
    requestId: correlationId,
    cause: error,
  });
};
