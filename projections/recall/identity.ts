import { createHmac, hash, type KeyObject } from 'node:crypto';

/**
 * Ids are derived from content, so that a retry names the same thing. They begin with the minute of the content's
 * own time (4 bytes: neighbours in time are neighbours in an index), followed by 12 bytes of HMAC-SHA-256 under the
 * partition's key: without the key an id confirms no guess of a text.
 */
const encode = (prefix: string, timestamp: number, digest: Buffer): string => {
  const bytes = Buffer.allocUnsafe(16);
  bytes.writeUInt32BE(Math.floor(timestamp / 60_000) >>> 0, 0);
  digest.copy(bytes, 4, 0, 12);
  return prefix + bytes.toString('hex');
};

/** Parts are joined with their lengths: no two different lists read the same. */
export const joined = (parts: readonly string[]): string => {
  let text = '';
  for (const part of parts) text += `${part.length}:${part}`;
  return text;
};

const hmac = (key: KeyObject, parts: readonly string[]): Buffer =>
  createHmac('sha256', key).update(joined(parts)).digest();

export interface TurnIdentity {
  org: string;
  user: string;
  session: string;
  role: string;
  text: string;
  /** Unix milliseconds. */
  timestamp: number;
}

/** Also the id of its fragment and of its event. */
export const turnId = (key: KeyObject, turn: TurnIdentity): string =>
  encode(
    'trn_',
    turn.timestamp,
    hmac(key, ['turn', turn.org, turn.user, turn.session, turn.role, turn.text, String(turn.timestamp)]),
  );

/** A write's id, without prefix: `job_` and `enr_` name its two tiers. */
export const writeId = (
  key: KeyObject,
  org: string,
  user: string,
  session: string,
  turnIds: string[],
): string => hmac(key, ['write', org, user, session, ...turnIds]).toString('hex', 0, 16);

/** An observation of a turn: the same words of the same turn are one observation, whoever extracts them. */
export const observationId = (turn: string, text: string): string =>
  `obs_${turn.slice(4, 12)}${hash('sha256', joined([turn, text])).slice(0, 24)}`;

/** One id for one normalised label in a user partition. */
export const entityId = (org: string, user: string, label: string): string =>
  `ent_${hash('sha256', joined([org, user, label])).slice(0, 24)}`;

/** One event for a turn and an extractor's version: the first wins. */
export const extractionId = (turn: string, extractor: string): string => `ext_${turn.slice(4)}_${extractor}`;

/** Names a scope where its own names should not stand: of [organization, user] or [organization, user, session]. */
export const scopeDigest = (parts: readonly string[]): string =>
  hash('sha256', JSON.stringify(parts)).slice(0, 32);
