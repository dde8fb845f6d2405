/** Facts of one subject, in days: what a fold over them decides. */
import type { Dated, Fact } from '../../../domain/facts/holds/dated-facts.ts';
import { defaultStance } from '../../../domain/facts/holds/standing-time.ts';
import { holding, whatHeld } from '../../../domain/facts/holds/what-holds.ts';
import type { StoredFact } from '../../../domain/facts/stored-fact.ts';

const DAY = 86_400_000;
/** A day on which nothing special begins: 15 January 2025. */
const FIRST = Date.UTC(2025, 0, 15);
/** The moment of a day, counted from 15 January 2025. */
export const on = (day: number): number => FIRST + day * DAY;

export interface More extends Partial<Omit<StoredFact, 'validFrom' | 'validUntil'>> {
  /** Days. */
  from?: number;
  until?: number;
  recordedAt?: number;
  role?: string;
  text?: string;
  turn?: string;
  id?: string;
  corrects?: string;
}

let made = 0;
/** A fact that Ada says of herself on a day. */
export const fact = (attribute: string, value: string, day: number, more: More = {}): Fact => {
  const {
    from,
    until,
    recordedAt = on(day),
    role = 'Ada',
    text = value,
    turn,
    id,
    corrects,
    ...given
  } = more;
  const number = String(++made).padStart(4, '0');
  const validFrom = from === undefined ? undefined : on(from);
  const ended = given.ended ?? false;
  return {
    id: id ?? `obs_${number}`,
    timestamp: on(day),
    recordedAt,
    role,
    text,
    sourceTurnId: turn ?? `trn_${number}`,
    fact: {
      subjectId: 'ent_1',
      subject: 'Ada',
      attribute,
      value,
      stance: defaultStance({ ended, validFrom }, on(day)),
      ...(validFrom !== undefined && { validFrom }),
      ...(until !== undefined && { validUntil: on(until) }),
      ...given,
      ended,
    },
    ...(corrects !== undefined && { corrects: { id: corrects, follows: [corrects] } }),
  };
};

const day = (at: number | undefined): number | undefined =>
  at === undefined ? undefined : Math.round((at - FIRST) / DAY);

/** Returns what is read on a day: a fact recorded later is not there yet. */
const heldOn = (facts: readonly Fact[], at: number) =>
  whatHeld<Dated>(
    facts.filter(({ recordedAt }) => recordedAt <= on(at) || recordedAt === Number.MAX_SAFE_INTEGER),
    on(at),
  ).periods;

/** The values that hold on a day, in the order of their standing times. */
export const now = (facts: readonly Fact[], at = 1_000): string[] =>
  holding(heldOn(facts, at)).map(({ said: [{ fact }] }) => fact.value);

/** All periods: value, valid from and until, in days. */
export const ever = (facts: readonly Fact[], at = 1_000) =>
  heldOn(facts, at).map(({ said: [{ fact }], validFrom, until }) => [fact.value, day(validFrom), day(until)]);

/** The values that hold, each with the values and denials that dispute it. */
export const disputes = (facts: readonly Fact[], at = 1_000) =>
  Object.fromEntries(
    holding(heldOn(facts, at)).map(({ said: [{ fact }], disputedBy }) => [
      fact.value,
      disputedBy.map(other => `${other.fact?.ended ? 'not ' : ''}${other.fact?.value}`),
    ]),
  );

/** Every order of a list. */
export const orders = <T>(items: readonly T[]): T[][] =>
  items.length < 2
    ? [[...items]]
    : items.flatMap((item, i) => orders(items.toSpliced(i, 1)).map(rest => [item, ...rest]));
