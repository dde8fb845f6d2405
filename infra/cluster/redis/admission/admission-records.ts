/** Turns, days, events and claims as admission's scripts take and return them (organization.lua). */

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

/** How long a claim is of use at most (claims.lua, `BUCKET_MS`). */
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

interface OwnFields {
  id: string;
  tokens: number;
  timestamp: number;
}
type Entry<Turn extends OwnFields> = Omit<Turn, keyof OwnFields> & {
  each: [id: string, tokens: number, timestamp: number][];
};

const areEqual = (one: object, other: object): boolean =>
  Object.entries(one).every(([name, value]) => (other as Record<string, unknown>)[name] === value);

/**
 * Returns turns as `expand` of organization.lua takes them, in their order: those of a record share all
 * but three fields, which the script would otherwise have to parse for each.
 */
export const entriesOf = <Turn extends OwnFields>(turns: readonly Turn[]): Entry<Turn>[] => {
  const entries: Entry<Turn>[] = [];
  let last: Omit<Turn, keyof OwnFields> | undefined;
  for (const { id, tokens, timestamp, ...shared } of turns) {
    if (!last || !areEqual(shared, last)) {
      entries.push({ ...shared, each: [] });
      last = shared;
    }
    entries.at(-1)!.each.push([id, tokens, timestamp]);
  }
  return entries;
};

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
  const common = { id, partition: partitionName(event), offset, day };
  if (!turn && !event.erasedTurn) return { ...common, ...tokens, kind: 'recall' as const };
  return {
    ...common,
    kind: 'turn' as const,
    attempt: attempt.replace(/\s/g, '') || '-',
    user: nameInKey(turn?.user ?? ''),
    keyId: turn?.keyId ?? '',
    active: flag(turn?.active ?? false),
    tokens: tokens.tokensIn,
    timestamp: turn?.timestamp ?? 0,
  };
};

/** Returns events as the script `settled` takes them, those that bill nothing left out. */
export const eventsOf = (its: readonly Logged[]) => {
  const events = its.flatMap(event => loggedEvent(event) ?? []);
  const isTurn = (event: (typeof events)[number]) => event.kind === 'turn';
  return [...entriesOf(events.filter(isTurn)), ...events.filter(event => !isTurn(event))];
};

/** Returns the ask of `settled` for an organization's events in a batch that ends at `positions`. */
export const settledCall = (its: readonly Logged[], positions: Positions) => {
  const partitions = [...new Set(its.map(partitionName))].filter(name => positions[name] !== undefined);
  return {
    events: eventsOf(its),
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
  /** The day of the bucket that its claim is in (claims.lua); unknown where the answer was lost. */
  bucket?: number | undefined;
}

const FIELDS_OF_A_CLAIM = 3;

/**
 * Parses three strings per turn: its id, its tokens, the day of its claim's bucket; of one that was taken
 * over, also the instant to record it at and its options.
 */
export const freshClaims = (
  flat: readonly string[],
  { recordedAt, options = DEFAULT_OPTIONS }: Pick<AdmitRequest, 'recordedAt' | 'options'>,
): Map<string, Claim> => {
  const fresh = new Map<string, Claim>();
  for (let i = 0; i < flat.length; i += FIELDS_OF_A_CLAIM) {
    const [id, tokens, of] = flat.slice(i, i + FIELDS_OF_A_CLAIM);
    const [bucket, recorded, active, passive, expiresAt] = of!.split(' ');
    const first = recorded !== undefined && {
      recordedAt: Number(recorded),
      active: active === '1',
      passive: passive === '1',
      expiresAt: expiresAt === NEVER ? undefined : Number(expiresAt),
    };
    fresh.set(id!, {
      ...(first || { ...options, recordedAt }),
      tokens: Number(tokens),
      taken: first !== false,
      bucket: Number(bucket),
    });
  }
  return fresh;
};

/** Returns claims as the scripts take them to drop them. */
export const claimsToDrop = (claims: Iterable<readonly [id: string, claim: Claim]>) =>
  [...claims].map(([id, { bucket }]) => ({ id, bucket: bucket ?? false }));

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
