/** What the options of a call are in the words of the contract. */
import { isRecord } from './answer.ts';
import type { components } from './api-types.ts';
import { TurnstoneError } from './error.ts';
import type { Instant, RecallOptions, ScopeOptions, TurnInput, WriteOptions } from './options.ts';

type Schemas = components['schemas'];
export type WrittenTurn = Schemas['Ingest']['turns'][number];

/** The organization is the token's: the contract wants a name here and goes by none. */
const ORGANIZATION = 'token';

/** What a caller passed can't be sent. */
export const unusable = (message: string): TurnstoneError => new TurnstoneError(message, { code: 'invalid' });

/** The options of a caller who may have no types: nothing of what is no object can be read. */
export const optionsOf = <T extends object>(
  options: T,
  wrong = 'The options of a call are an object.',
): T => {
  if (!isRecord(options)) throw unusable(wrong);
  return options;
};

/** JSON would make null of it, which is another value. */
const refuseNaN = (_: string, value: unknown): unknown => {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`${value} has no JSON`);
  return value;
};

/** What a caller passed, to be sent: metadata may hold what JSON has no word for. */
export const jsonOf = (body: object): string => {
  try {
    return JSON.stringify(body, refuseNaN);
  } catch (cause) {
    throw new TurnstoneError('What was passed has no JSON.', { code: 'invalid', cause });
  }
};

const scopeOf = ({ user, session }: ScopeOptions): Schemas['Recall']['scope'] => ({
  org_id: ORGANIZATION,
  ...(user !== undefined && { user_id: user }),
  ...(session !== undefined && { session_id: session }),
});

const instantText = (instant: Instant): string => {
  if (typeof instant === 'string') return instant;
  // Not instanceof: a frame or a vm has a Date of its own.
  if (Object.prototype.toString.call(instant) !== '[object Date]')
    throw unusable('A timestamp is a Date or RFC 3339.');
  if (Number.isNaN(instant.getTime())) throw unusable('A timestamp is an invalid Date.');
  return instant.toISOString();
};

export const maybeInstant = (instant: Instant | undefined): string | undefined =>
  instant === undefined ? undefined : instantText(instant);

/** The instant is set before the first attempt: a retry sends the same turn. */
export const turnOf = (turn: TurnInput): WrittenTurn => {
  const { role, text, timestamp = new Date(), observations } = optionsOf(turn, 'A turn is an object.');
  return { role, text, timestamp: instantText(timestamp), ...(observations && { observations }) };
};

export const ingestOf = (turns: WrittenTurn[], options: WriteOptions): Schemas['Ingest'] => {
  const { writeActive, writePassive, metadata } = options;
  return {
    scope: scopeOf(options),
    turns,
    ...((writeActive !== undefined || writePassive !== undefined) && {
      options: { write_active: writeActive, write_passive: writePassive },
    }),
    ...(metadata && { metadata: metadata as Record<string, never> }),
  };
};

export const recallOf = (q: string, options: RecallOptions): Schemas['Recall'] => ({
  scope: scopeOf(options),
  q,
  mode: options.mode,
  top_k: options.topK,
  include_timeline: options.includeTimeline,
  kinds: options.kinds,
  since: maybeInstant(options.since),
  until: maybeInstant(options.until),
  as_of: maybeInstant(options.asOf),
  explain: options.explain,
});
