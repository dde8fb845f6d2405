/** Turns, days and events as arguments of admission's scripts (lua/organization.lua). */
import { PROJECTIONS } from '../../../projections/all.ts';
import { partitionName, positionsIn } from '../../../services/core/log/positions.ts';
import type { Logged, Positions, Remembered, TailTurn, Tokens } from '../../../services/core/ports.ts';
import { DAY_MS, HOUR_MS } from '../../../services/core/time.ts';
import { nameInKey } from './names.ts';

/** A kept claim outlasts its client's retries; an older turn is looked up in the index (DESIGN.md, Claims). */
export const CLAIM_MS = 7 * DAY_MS;
const SLACK_MS = HOUR_MS;

/** The positions in the topics that admission bills. */
export const ofAdmission = (positions: Positions): Positions =>
  positionsIn(positions, PROJECTIONS.usage.topics);

/** Days since 1970 of a UTC day, YYYY-MM-DD. */
export const dayNumber = (day: string): number => Date.parse(day) / DAY_MS;

/** When a kept claim ends, Unix milliseconds. */
const expiryOf = (recordedAt: number, timestamp: number): number =>
  Math.max(recordedAt, timestamp) + CLAIM_MS + SLACK_MS;

/**
 * If claims were lost at `instant`, unclaimed turns are looked up in the index until then: later the lost
 * claims would have ended.
 */
export const lookUpUntil = (instant: number): number => instant + CLAIM_MS + SLACK_MS;

/** A day's counter as the scripts return it; null for what was never counted. */
export type Counter = [tokensIn: string | null, tokensOut: string | null];

export const tokensOf = ([tokensIn, tokensOut]: Counter): Tokens => ({
  tokensIn: Number(tokensIn ?? 0),
  tokensOut: Number(tokensOut ?? 0),
});

const flag = (active: boolean): string => (active ? '1' : '0');

export const rememberedTurn = (turn: TailTurn, tokens: number, recordedAt: number) => ({
  id: turn.id,
  user: nameInKey(turn.user),
  partition: partitionName({ topic: 'turns', partition: turn.partition }),
  offset: turn.offset,
  keyId: turn.keyId,
  active: flag(turn.active),
  tokens,
  recordedAt,
  expires: expiryOf(recordedAt, turn.timestamp),
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

/** A turn or a recall; undefined for an event that bills nothing. */
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
    // Only the day is known here: with its last instant no claim ends too early.
    expires: expiryOf((day + 1) * DAY_MS, turn?.timestamp ?? 0),
  };
};
