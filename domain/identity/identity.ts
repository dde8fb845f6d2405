import { hash, type KeyObject } from 'node:crypto';
import type { SaidFact } from '../../schemas/facts.ts';
import { hmacOf } from './hmac.ts';

/**
 * Ids are derived from content, so that a retry gets the same id. They begin with the minute of the content's
 * own time (4 bytes, so that ids close in time are close in an index), followed by 12 bytes of HMAC-SHA-256
 * under the partition's key: without the key, nobody can verify a guess of the text from its id.
 */
const encode = (prefix: string, timestamp: number, digest: string): string =>
  prefix + (Math.floor(timestamp / 60_000) >>> 0).toString(16).padStart(8, '0') + digest.slice(0, 24);

/** Joins the parts with their lengths, so that different lists give different texts. */
export const joined = (parts: readonly string[]): string => {
  let text = '';
  for (const part of parts) text += `${part.length}:${part}`;
  return text;
};

const hmac = (key: KeyObject, parts: readonly string[]): string => hmacOf(key, joined(parts));

export interface TurnIdentity {
  org: string;
  user: string;
  session: string;
  role: string;
  text: string;
  /** Unix milliseconds. */
  timestamp: number;
}

/** The id of a turn, of its fragment and of its event. */
export const turnId = (key: KeyObject, turn: TurnIdentity): string =>
  encode(
    'trn_',
    turn.timestamp,
    hmac(key, ['turn', turn.org, turn.user, turn.session, turn.role, turn.text, String(turn.timestamp)]),
  );

/** The parts of a statement without a turn that determine its id. */
export interface StatementIdentity extends Omit<TurnIdentity, 'timestamp'> {
  fact: SaidFact | undefined;
  /** The observation that it corrects. */
  corrects: string | undefined;
  /** Unix milliseconds; undefined where the caller gave none, so that saying it again says nothing new. */
  timestamp: number | undefined;
}

/** The id of the event of a statement: a write's, like a turn's, by which it is billed and known. */
export const statementId = (key: KeyObject, said: StatementIdentity): string => {
  const { org, user, session, role, text, fact, corrects = '', timestamp } = said;
  const { subject = '', attribute = '', value = '', valid_from = '', ended, ...more } = fact ?? {};
  const parts = [
    org,
    user,
    session,
    role,
    text,
    subject,
    attribute,
    value,
    valid_from,
    String(ended ?? false),
  ];
  for (const [name, said] of Object.entries(more).sort()) parts.push(name, String(said));
  return encode(
    'trn_',
    timestamp ?? 0,
    hmac(key, ['statement', ...parts, corrects, String(timestamp ?? '')]),
  );
};

/** A write's id, without a prefix; `job_` and `enr_` distinguish its two tiers. */
export const writeId = (
  key: KeyObject,
  org: string,
  user: string,
  session: string,
  turnIds: string[],
): string => hmac(key, ['write', org, user, session, ...turnIds]).slice(0, 32);

/**
 * A statement has one observation. Its id is that of the statement but for the last bit (both are in one
 * table), so whoever has the two sees that there is no turn.
 */
export const statementObservationId = (statement: string): string =>
  `obs_${statement.slice(4, -1)}${(Number.parseInt(statement.at(-1)!, 16) ^ 1).toString(16)}`;

/** Whether an observation was said without a turn. */
export const isStatement = (observation: string, turn: string): boolean =>
  observation === statementObservationId(turn);

/** The ids of what a client observed of a turn, or said without one. */
export const clientObservationId = (
  { id, stated }: { id: string; stated?: object | undefined },
  text: string,
): string => (stated ? statementObservationId(id) : observationId(id, text));

/** The same text about the same turn is one observation, whoever extracted it. */
export const observationId = (turn: string, text: string): string =>
  `obs_${turn.slice(4, 12)}${hash('sha256', joined([turn, text])).slice(0, 24)}`;

/** One id per normalised label and user partition. */
export const entityId = (org: string, user: string, label: string): string =>
  `ent_${hash('sha256', joined([org, user, label])).slice(0, 24)}`;

/** One event per turn and extractor version; the first wins. */
export const extractionId = (turn: string, extractor: string): string => `ext_${turn.slice(4)}_${extractor}`;

/** The id of the event with a model's vectors of a turn. */
export const embeddingId = (turn: string, model: string): string =>
  `vec_${turn.slice(4)}${hash('sha256', model).slice(0, 16)}`;

/** Identifies a scope without its names; `parts` is [organization, user] or [organization, user, session]. */
export const scopeDigest = (parts: readonly string[]): string =>
  hash('sha256', JSON.stringify(parts)).slice(0, 32);
