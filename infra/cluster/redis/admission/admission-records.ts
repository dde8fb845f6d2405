/** Turns, days, events and claims as admission's scripts take and return them (lua/organization.lua). */

import { partitionName, positionsIn } from '../../../../core/log/positions.ts';
import { DEFAULT_OPTIONS } from '../../../../core/ports/admission/admission.ts';
import type {
  AdmitRequest,
  Admitted,
  FreshTurn,
  Logged,
  Positions,
  Remembered,
  TailTurn,
  Tokens,
} from '../../../../core/ports.ts';
import { DAY_MS, HOUR_MS } from '../../../../core/time.ts';
import { PROJECTIONS } from '../../../../projections/all.ts';
import { recordOffsetOf } from '../../../../schemas/events/event-offset.ts';
import { nameInKey } from '../key-names.ts';

/** The longest life of a kept claim (lua/organization.lua, `life_of`). */
const CLAIM_MS = 8 * DAY_MS + HOUR_MS;

/** Returns the positions in the topics that admission bills. */
export const ofAdmission = (positions: Positions): Positions =>
  positionsIn(positions, PROJECTIONS.usage.topics);

/** Returns the number of days from 1970 to a UTC day, YYYY-MM-DD. */
export const dayNumber = (day: string): number => Date.parse(day) / DAY_MS;

/**
 * Returns when to stop looking up unclaimed turns in the index if claims were lost at `instant`: by then the
 * lost claims would have expired.
 */
export const lookUpUntil = (instant: number): number => instant + CLAIM_MS;

/** A day's counter as the scripts return it; null for a value that was never counted. */
export type Counter = [tokensIn: string | null, tokensOut: string | null];

export const tokensOf = ([tokensIn, tokensOut]: Counter): Tokens => ({
  tokensIn: Number(tokensIn ?? 0),
  tokensOut: Number(tokensOut ?? 0),
});

/** Encodes "no expiry". */
const NEVER = '-';

const flag = (active: boolean): string => (active ? '1' : '0');

export const rememberedTurn = (turn: TailTurn, tokens: number, recordedAt: number) => ({
  id: turn.id,
  user: nameInKey(turn.user),
  partition: partitionName({ topic: 'turns', partition: turn.partition }),
  offset: recordOffsetOf(turn.offset),
  keyId: turn.keyId,
  active: flag(turn.active),
  tokens,
  recordedAt,
  timestamp: turn.timestamp,
});

export const rememberedJob = ({ id, keyId, partition, offset }: NonNullable<Remembered['job']>) => ({
  id,
  keyId,
  partition: partitionName({ topic: 'turns', partition }),
  offset,
});

export const restoredJob = (job: NonNullable<Remembered['job']>) => ({ kind: 'job', ...rememberedJob(job) });

export const rememberedRecall = ({ partition, offset, ...recall }: NonNullable<Remembered['recall']>) => ({
  ...recall,
  partition: partitionName({ topic: 'usage', partition }),
  offset,
});

/** Returns a turn or a recall as the scripts take it; undefined for an event that bills nothing. */
export const loggedEvent = (event: Logged) => {
  const { id, turn, attempt = '-', topic, offset, tokens } = event;
  if (!turn && !event.erasedTurn && topic !== 'usage') return undefined;
  const day = dayNumber(event.day);
  const common = { id, partition: partitionName(event), offset, day, ...tokens };
  if (!turn && !event.erasedTurn) return { ...common, kind: 'recall' };
  return {
    ...common,
    kind: 'turn',
    attempt: attempt.replace(/\s/g, '') || '-',
    user: nameInKey(turn?.user ?? ''),
    keyId: turn?.keyId ?? '',
    active: flag(turn?.active ?? false),
    tokens: tokens.tokensIn,
    timestamp: turn?.timestamp ?? 0,
  };
};

/** Returns the ask of `settled` for an organization's events in a batch that ends at `positions`. */
export const settledCall = (its: readonly Logged[], positions: Positions) => {
  const partitions = [...new Set(its.map(partitionName))].filter(name => positions[name] !== undefined);
  return {
    events: its.flatMap(event => loggedEvent(event) ?? []),
    positions: Object.fromEntries(partitions.map(name => [name, positions[name]])),
    partitions,
  };
};

/** Returns the ask of `admit` for a request's claims. Until `lookUpUntil`, any turn may be a known one. */
export const claimCall = (request: AdmitRequest, lookUpUntil: number) => {
  const {
    recordedAt,
    caps,
    claims,
    tokensIn,
    metadataTokens = 0,
    recall,
    options = DEFAULT_OPTIONS,
  } = request;
  return {
    recordedAt,
    active: flag(options.active),
    passive: flag(options.passive),
    expiresAt: options.expiresAt === undefined ? NEVER : String(options.expiresAt),
    capIn: caps.tokensIn,
    capOut: caps.tokensOut,
    tokensIn,
    metadataTokens,
    claims,
    lookUpUntil,
    recall: recall && {
      user: recall.user === undefined ? undefined : nameInKey(recall.user),
      past: recall.asOf !== undefined,
    },
  };
};

/** A turn that an attempt claims. */
export interface Claim extends FreshTurn {
  /** It was taken over from an overdue attempt. */
  taken: boolean;
}

/**
 * Parses seven strings per turn: its id, the instant to record it at, its tokens, whether it was taken over,
 * its options.
 */
export const freshClaims = (flat: readonly string[]): Map<string, Claim> => {
  const fresh = new Map<string, Claim>();
  for (let i = 0; i < flat.length; i += 7) {
    const [id, recordedAt, tokens, taken, active, passive, expiresAt] = flat.slice(i, i + 7);
    fresh.set(id!, {
      recordedAt: Number(recordedAt),
      tokens: Number(tokens),
      taken: taken === '1',
      active: active === '1',
      passive: passive === '1',
      ...(expiresAt !== NEVER && { expiresAt: Number(expiresAt) }),
    });
  }
  return fresh;
};

/** Parses two strings per turn: its id and the tokens to report. */
export const reportedTokens = (flat: readonly string[]): Map<string, number> => {
  const reported = new Map<string, number>();
  for (let i = 0; i < flat.length; i += 2) reported.set(flat[i]!, Number(flat[i + 1]));
  return reported;
};

export const refusalOf = (cap: unknown, used: unknown, { caps }: AdmitRequest): Admitted =>
  cap === 'tokens_in_daily'
    ? { kind: 'refused', cap, used: Number(used), limit: caps.tokensIn }
    : { kind: 'refused', cap: 'tokens_out_daily', used: Number(used), limit: caps.tokensOut };
