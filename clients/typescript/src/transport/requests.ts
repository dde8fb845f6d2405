/** Converts the options of a call to the contract's requests. */

import type { components } from '../api-types.ts';
import { TurnstoneError } from '../error.ts';
import type { Correction, Instant, ObservationInput, TurnInput } from '../inputs.ts';
import type { AddFactOptions, ReadOptions, RecallOptions, ScopeOptions, WriteOptions } from '../options.ts';
import type { Filter } from '../types.ts';
import { isRecord } from './answer.ts';
import { wordsOf } from './messages.ts';

type Schemas = components['schemas'];
export type WrittenTurn = Schemas['Ingest']['turns'][number];
type WrittenObservation = NonNullable<WrittenTurn['observations']>[number];

/** A placeholder: the contract requires a name here, but the organization is the key's. */
const ORGANIZATION = 'token';

/** The error for arguments that can't be sent. */
export const unusable = (message: string): TurnstoneError => new TurnstoneError(message, { code: 'invalid' });

/** Checks that the options are an object, for callers without types. */
export const optionsOf = <T extends object>(
  options: T,
  wrong = 'The options of a call must be an object.',
): T => {
  if (!isRecord(options)) throw unusable(wrong);
  return options;
};

/** JSON.stringify would write null, which is a different value. */
const refuseNaN = (_: string, value: unknown): unknown => {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`JSON has no ${value}`);
  return value;
};

/** Serialises a caller's arguments; metadata may contain values that JSON can't represent. */
export const jsonOf = (body: object): string => {
  try {
    return JSON.stringify(body, refuseNaN);
  } catch (cause) {
    throw new TurnstoneError('The arguments can not be represented in JSON.', { code: 'invalid', cause });
  }
};

const scopeOf = ({ user, session }: ScopeOptions): Schemas['Recall']['scope'] => ({
  org_id: ORGANIZATION,
  ...(user !== undefined && { user_id: user }),
  ...(session !== undefined && { session_id: session }),
});

/** Whose memory is read. A forgotten user would read everybody's, so that must be said. */
export const readScope = ({ user, session, allUsers }: ReadOptions, own: ScopeOptions): ScopeOptions => {
  if (allUsers !== undefined && typeof allUsers !== 'boolean')
    throw unusable('allUsers must be true or false.');
  // Callers without types may pass null for nothing.
  const named = user ?? undefined;
  if (allUsers) {
    if (named !== undefined) throw unusable('Name a user or say allUsers, not both.');
    return { session: session ?? undefined };
  }
  const found = named ?? own.user ?? undefined;
  if (found === undefined)
    throw unusable(
      'Whose memory? Pass user to the client or to the call, or allUsers: true for all that the key may see; for a key of one user, that is its user.',
    );
  return { user: found, session: session ?? own.session ?? undefined };
};

const instantText = (instant: Instant): string => {
  if (typeof instant === 'string') return instant;
  // instanceof would fail: a frame or a vm has its own Date.
  if (Object.prototype.toString.call(instant) !== '[object Date]')
    throw unusable('A timestamp must be a Date or an RFC 3339 string.');
  if (Number.isNaN(instant.getTime())) throw unusable('A timestamp must not be an invalid Date.');
  return instant.toISOString();
};

export const maybeInstant = (instant: Instant | undefined): string | undefined =>
  instant === undefined ? undefined : instantText(instant);

/** The service reports what is no observation: it lists all faults at once. */
const observationOf = (observation: string | ObservationInput): WrittenObservation => {
  if (!isRecord(observation) || observation.validFrom === undefined) return observation;
  const { validFrom, ...rest } = observation as ObservationInput & { validFrom: Instant };
  return { ...rest, valid_from: instantText(validFrom) };
};

/**
 * Sets the default instant before the first attempt, so that a retry sends the same turn. Undefined for a
 * message without words.
 */
export const turnOf = (turn: TurnInput): WrittenTurn | undefined => {
  const said = optionsOf(turn, 'A turn must be an object.');
  const { text, content, parts, timestamp = new Date(), observations } = said;
  if (text !== undefined && (content ?? parts) !== undefined)
    throw unusable('A turn has a text or a content, not both.');
  const words = text === undefined ? wordsOf({ ...said }) : { role: said.role, text };
  if (!words) return undefined;
  const written = Array.isArray(observations) ? observations.map(observationOf) : observations;
  return {
    // Where it is none, the service tells it with all other faults.
    ...(words as { role: string; text: string }),
    timestamp: instantText(timestamp),
    ...(written && { observations: written }),
  };
};

/** The turns of a request. */
export const turnsOf = (turns: readonly TurnInput[]): WrittenTurn[] => {
  const written = turns.map(turnOf).filter(turn => turn !== undefined);
  if (turns.length > 0 && written.length === 0) throw unusable('None of these messages has words.');
  return written;
};

export const ingestOf = (turns: WrittenTurn[], options: WriteOptions): Schemas['Ingest'] => {
  const { writeActive, writePassive, expiresAt, ttlDays, sessionTitle, metadata } = options;
  const written = {
    write_active: writeActive,
    write_passive: writePassive,
    expires_at: maybeInstant(expiresAt),
    ttl_days: ttlDays,
    session_title: sessionTitle,
  };
  return {
    scope: scopeOf(options),
    turns,
    ...(Object.values(written).some(value => value !== undefined) && { options: written }),
    ...(metadata && { metadata }),
  };
};

/** Without a timestamp the service leaves the time out of the identity, so a retry says nothing new. */
export const sayOf = (said: AddFactOptions): Schemas['Say'] => ({
  scope: scopeOf(said),
  text: said.text,
  subject: said.subject,
  attribute: said.attribute,
  about: said.about,
  value: said.value,
  valid_from: maybeInstant(said.validFrom),
  ended: said.ended,
  stance: said.stance,
  timestamp: maybeInstant(said.timestamp),
  metadata: said.metadata,
});

export const correctOf = ({
  text,
  subject,
  attribute,
  about,
  value,
  stance,
  validFrom,
}: Correction): Schemas['Correct'] => ({
  text,
  subject,
  attribute,
  about,
  value,
  stance,
  valid_from: maybeInstant(validFrom),
});

/** A filter in a query. */
export const filterText = (filter: Filter | undefined): string | undefined =>
  filter === undefined ? undefined : jsonOf(filter);

export const recallOf = (q: string, options: RecallOptions): Schemas['Recall'] => ({
  scope: scopeOf(options),
  q,
  mode: options.mode,
  top_k: options.topK,
  holds: options.holds,
  include_timeline: options.includeTimeline,
  include_context: options.includeContext,
  context_max_tokens: options.contextMaxTokens,
  include_hits: options.includeHits,
  min_score: options.minScore,
  max_tokens: options.maxTokens,
  passages: options.passages,
  filter: options.filter,
  embeddings_model: options.embeddingsModel,
  kinds: options.kinds,
  since: maybeInstant(options.since),
  until: maybeInstant(options.until),
  as_of: maybeInstant(options.asOf),
  utc_offset: options.utcOffset,
  explain: options.explain,
  receipt: options.receipt,
});
