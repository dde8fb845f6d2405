/** How turns, days and events are written for the scripts of admission (lua/organization.lua). */
import type { Logged, Remembered, TailTurn } from '../../../services/core/ports.ts';
import { nameInKey } from './names.ts';

const DAY_MS = 86_400_000;
/** A kept claim outlasts the retries of its client; an older turn is looked up in the index (DESIGN.md, Claims). */
export const CLAIM_MS = 7 * DAY_MS;
const SLACK_MS = 3_600_000;

/** Days since 1970 of a UTC day, YYYY-MM-DD. */
export const dayNumber = (day: string): number => Date.parse(day) / DAY_MS;

/** When a kept claim ends, Unix milliseconds. */
const expiryOf = (recordedAt: number, timestamp: number): number =>
  Math.max(recordedAt, timestamp) + CLAIM_MS + SLACK_MS;

/** A lookup in the index is needed up to then, when claims were lost at `instant`: those of younger turns would still be there. */
export const lookUpUntil = (instant: number): number => instant + CLAIM_MS + SLACK_MS;

const flag = (active: boolean): string => (active ? '1' : '0');

/** Sorted sets and fields are named by it. */
const placeOf = (topic: string, partition: number): string => `${topic}/${partition}`;

export const rememberedTurn = (turn: TailTurn, tokens: number, recordedAt: number) => ({
  id: turn.id,
  user: nameInKey(turn.user),
  place: placeOf('turns', turn.partition),
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
  place: placeOf('turns', partition),
  offset,
});

export const restoredJob = (job: NonNullable<Remembered['job']>) => ({ kind: 'job', ...rememberedJob(job) });

export const rememberedRecall = ({ partition, offset, ...recall }: NonNullable<Remembered['recall']>) => ({
  ...recall,
  place: placeOf('usage', partition),
  offset,
});

/** A turn or a recall of the log; undefined for an event that bills nothing. */
export const loggedEvent = (event: Logged) => {
  const { id, turn, attempt = '-', topic, partition, offset, tokens } = event;
  if (!turn && !event.erasedTurn && topic !== 'usage') return undefined;
  const day = dayNumber(event.day);
  const common = { id, place: placeOf(topic, partition), offset, day, ...tokens };
  if (!turn && !event.erasedTurn) return { ...common, kind: 'recall' };
  return {
    ...common,
    kind: 'turn',
    attempt: attempt.replace(/\s/g, '') || '-',
    user: nameInKey(turn?.user ?? ''),
    keyId: turn?.keyId ?? '',
    active: flag(turn?.active ?? false),
    tokens: tokens.tokensIn,
    // The log tells the day alone to admission: no claim ends too early when its last instant is taken.
    expires: expiryOf((day + 1) * DAY_MS, turn?.timestamp ?? 0),
  };
};
