import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { malformed, ServiceError } from '../../../../core/errors.ts';
import { nextLargeStep } from '../../../../core/fairness/large-steps.ts';
import type { Screened } from '../../../../domain/screening/screen.ts';
import type { Check } from '../../../../schemas/ajv.ts';
import { LIMITS } from '../../../../schemas/http/ingestion.ts';
import type { Held } from './bytes-in-flight.ts';
import { jsonSize } from './json-size.ts';
import { screenBody } from './screened-body.ts';

/** `application/json`; a charset, if given, must be UTF-8. Other parameters are ignored. */
export const isJsonType = (contentType: string): boolean => {
  if (contentType === 'application/json') return true;
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  return (
    type.trim() === 'application/json' &&
    parameters.every(one => !/^\s*charset\s*=/.test(one) || /=\s*"?utf-8"?\s*$/.test(one))
  );
};

/** The client disconnected before its request was complete, so no answer can be sent. */
export class ClientGone extends Error {}

const tooLarge = (most: number): ServiceError =>
  new ServiceError('too_large', `The body must have at most ${most} bytes.`);

const tooSlow = (): ServiceError =>
  new ServiceError('request_timeout', 'The body of a call without a token must arrive within seconds.');

const notJson = (type: string, message: string): ServiceError =>
  malformed('The body is not JSON.', { loc: ['body'], type, message });

const assertJson = ({ headers }: IncomingMessage): void => {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new ServiceError('unsupported_media_type', 'The body must be sent without a Content-Encoding.');
  }
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  const type = headers['content-type'];
  if (isEmpty && type === undefined) return;
  if (!isJsonType(type ?? '')) {
    throw new ServiceError(
      'unsupported_media_type',
      'The body must be sent with Content-Type: application/json in UTF-8.',
    );
  }
};

export interface BodyLimits {
  mostBytes: number;
  /** Milliseconds from now until its last byte; undefined: the server's time for a whole request. */
  withinMs?: number;
}

/** The limits for a caller whose token was checked. */
export const KNOWN_BODY: BodyLimits = { mostBytes: LIMITS.bodyBytes };
/** The limits for all other callers: many times the size of any body of the open endpoints. */
export const OPEN_BODY: BodyLimits = { mostBytes: 16 * 1024, withinMs: 5_000 };

/**
 * Up to a fifth earlier: a thousand slow bodies that began together aren't refused in one step, which takes
 * 0.2 s.
 */
const spread = (ms: number): number => ms * (1 - Math.random() / 5);

const announcedBytes = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? 0);

const assertAcceptable = (request: IncomingMessage, mostBytes: number): void => {
  assertJson(request);
  if (announcedBytes(request) > mostBytes) throw tooLarge(mostBytes);
};

/**
 * Returns the body if it has arrived whole by now, as a small one has with its head: to listen for it takes
 * longer than to parse it. Throws what `readBody` throws.
 */
export const arrivedBody = (
  request: IncomingMessage,
  { mostBytes }: BodyLimits,
  held: Pick<Held, 'add'>,
): Buffer | undefined => {
  const { complete, readableLength } = request;
  if (!complete || readableLength === 0 || readableLength !== announcedBytes(request)) return undefined;
  assertAcceptable(request, mostBytes);
  held.add(readableLength);
  return request.read() as Buffer;
};

/**
 * Reads the whole body; throws `unsupported_media_type`, `too_large`, `request_timeout`, `ClientGone`, and
 * what `held` throws.
 */
export const readBody = async (
  request: IncomingMessage,
  { mostBytes, withinMs }: BodyLimits,
  held: Pick<Held, 'add'>,
): Promise<Buffer> => {
  assertAcceptable(request, mostBytes);
  // It has told its end already, and tells it once.
  if (request.destroyed) throw new ClientGone();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const fail = (error: unknown): void => {
      stop();
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      try {
        if (bytes > mostBytes) throw tooLarge(mostBytes);
        held.add(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        fail(error);
      }
    };
    const onEnd = (): void => {
      stop();
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes));
    };
    const onGone = (): void => fail(new ClientGone());
    const late = withinMs === undefined ? undefined : setTimeout(() => fail(tooSlow()), spread(withinMs));
    const stop = (): void => {
      clearTimeout(late);
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      // Without a listener, later errors would be uncaught.
      request.on('error', () => {});
    };
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
};

const BYTE_ORDER_MARK = 0xfeff;

/** Bodies up to this size are parsed in milliseconds, whatever they are. */
export const SMALL_BYTES = 16 * 1024;
/** Larger bodies are processed in steps, so that other calls are answered in between. */
const ONE_STEP_BYTES = 128 * 1024;
/** More than any valid body has: 64,000 observations with all their members don't fit into one. */
const MOST_VALUES = 500_000;

/** Refuses what costs the process a second to parse, before it does. */
const assertCheap = (body: Buffer): void => {
  if (body.length <= SMALL_BYTES) return;
  const { values, isClosed } = jsonSize(body);
  if (!isClosed) throw notJson('json', 'is not JSON');
  if (values <= MOST_VALUES) return;
  const error = { loc: ['body'], type: 'too_many', message: `must have at most ${MOST_VALUES} values` };
  throw new ServiceError('invalid', 'The request breaks a rule.', { details: { errors: [error] } });
};

/** Throws `malformed`, without the parser's message, because it quotes the body. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
  } catch {
    throw notJson('json', 'is not JSON');
  }
};

/**
 * Parses and checks a body; throws what `checked` throws, `invalid` for too many values, and the signal's
 * reason. `org`: whose body it is.
 */
export const checkedBody = async <T>(
  body: Buffer,
  check: Check<T>,
  { org, signal }: { org: string; signal: AbortSignal | undefined },
): Promise<T> => {
  if (body.length === 0) throw notJson('json', 'is empty');
  if (!isUtf8(body)) throw notJson('utf8', 'is not UTF-8');
  assertCheap(body);
  if (body.length <= ONE_STEP_BYTES) return checked(check(parseJson(body.toString())));
  await nextLargeStep(org, signal);
  const text = body.toString();
  await nextLargeStep(org, signal);
  const value = parseJson(text);
  await nextLargeStep(org, signal);
  return checked(check(value));
};

/**
 * The same for a body of an organization that screens. `tell` gets how many secrets were replaced. What is
 * longer with its placeholders than it may be is refused like anything else that is.
 */
export const screenedBody = async <T>(
  body: Buffer,
  check: Check<T>,
  by: { org: string; signal: AbortSignal | undefined },
  tell: (screened: Screened) => void,
): Promise<T> => {
  const value = await checkedBody(body, check, by);
  const screened = await screenBody(value, by);
  tell(screened);
  return Object.keys(screened).length === 0 ? value : checked(check(value));
};

/** Returns the checked value; throws `malformed` (400) or `invalid` (422) with every fault. */
export const checked = <T>(result: ReturnType<Check<T>>): T => {
  if (result.ok) return result.value;
  const { status, errors, omitted } = result;
  const details = { errors, ...(omitted > 0 ? { omitted } : {}) };
  throw status === 400
    ? new ServiceError('malformed', 'The request is malformed.', { details })
    : new ServiceError('invalid', 'The request breaks a rule.', { details });
};
