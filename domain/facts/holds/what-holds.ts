/**
 * Decides which facts hold, and until when: a pure fold over all facts of one key, in the order in which they
 * stand. It is the same for every engine and reads only what was said, so that a replay, an import out of
 * order and a question about an earlier moment get the truth of their moment.
 */
import { normaliseValue } from '../values/same-value.ts';
import { endedBySaying } from '../values/slots.ts';
import { withoutCorrected } from './corrections.ts';
import type { Dated, Fact, Period } from './dated-facts.ts';
import { makeDenied } from './denied.ts';
import { begun, endBy, type Held, periodOf, saidAgain } from './held.ts';
import { denial, mayEnd, type Placed, placed } from './placed.ts';
import { cancelledPlans } from './plans.ts';

/** Periods, and plans that something cancelled before they began, by their ids. */
export interface WhatHeld<T extends Dated> {
  periods: Period<T>[];
  cancelled: ReadonlyMap<string, T>;
}

/**
 * Returns the periods of all values: corrected ones first, then in the order of their standing times, and
 * plans that have not begun last.
 *
 * @param facts of one attribute of one subject, and of the attributes decided with it (slots.ts)
 * @param moment Unix milliseconds
 * @param corrections by the ids of the observations that they correct (corrections.ts)
 */
export const whatHeld = <T extends Dated>(
  facts: readonly Fact<T>[],
  moment: number,
  corrections: ReadonlyMap<string, T> = new Map(),
): WhatHeld<T> => {
  const periods: Period<T>[] = [];
  const cancelled = new Map<string, T>();
  for (const ofObject of Map.groupBy(facts, ({ fact }) => normaliseValue(fact.about ?? '')).values()) {
    const sorted = placed<T>(ofObject, moment);
    const { corrected, left } = withoutCorrected<T>(sorted, corrections);
    const byPlan = cancelledPlans<T>(left);
    for (const [id, { said }] of byPlan) cancelled.set(id, said);
    const counting = left.filter(({ said }) => !byPlan.has(said.id));
    const begun = counting.filter(({ stands }) => stands <= moment);
    periods.push(...corrected, ...fold<T>(begun, moment), ...planned<T>(counting, moment));
  }
  return { periods, cancelled };
};

/** Returns the periods that hold at the moment. */
export const holding = <T extends Dated>(periods: readonly Period<T>[]): Period<T>[] =>
  periods.filter(({ until, isPlanned }) => until === undefined && !isPlanned);

const planned = <T extends Dated>(facts: readonly Placed<T>[], moment: number): Period<T>[] =>
  facts
    .filter(({ said, stands }) => stands > moment && !said.fact.ended)
    .map(one => periodOf<T>(begun(one), true));

const fold = <T extends Dated>(facts: readonly Placed<T>[], moment: number): Period<T>[] => {
  const all: Held<T>[] = [];
  /** The values that hold by now: by slot, then by value. */
  const open = new Map<string, Map<string, Held<T>>>();
  const everHeld = new Set<string>();
  const deniedBy = makeDenied<T>();
  const inSlot = (slot: string): Map<string, Held<T>> => open.get(slot) ?? new Map();

  const close = (held: Held<T>, by: T | undefined): void => {
    if (by) endBy(held, by);
    else held.until = held.endsAt;
    open.get(held.slot)?.delete(held.id);
  };
  const stopped = (held: Held<T>, at: number): boolean => {
    if (held.endsAt === undefined || held.endsAt > at) return false;
    close(held, undefined);
    return true;
  };
  const begin = (one: Placed<T>): Held<T> => {
    const held = begun<T>(one);
    all.push(held);
    everHeld.add(keyOf(one));
    const values = open.get(one.slot) ?? new Map<string, Held<T>>();
    open.set(one.slot, values.set(one.id, held));
    return held;
  };

  const say = (one: Placed<T>): void => {
    const known = inSlot(one.slot).get(one.id);
    const before = known && !stopped(known, one.stands) ? known : undefined;
    if (before) saidAgain(before, one);
    const held = before ?? begin(one);
    const over = endedBySaying(one.said.fact);
    if (over.length > 0 && one.said.fact.validUntil === undefined)
      for (const other of [...open.values()].flatMap(slot => [...slot.values()]))
        if (over.includes(other.said[0]!.fact.attribute) && mayEnd(one, other) && isSince(one, other))
          close(other, one.said);
    // A stay, and what is said to be so besides, leave everything else alone.
    if (one.said.fact.validUntil !== undefined || one.said.fact.adds) return;
    const others = [...inSlot(one.slot).values()].filter(
      other => other !== held && !stopped(other, one.stands) && other.endsAt === undefined,
    );
    const main = mainOf(others);
    for (const other of others) {
      if (before && (before.adds || other.adds)) continue;
      if (mayEnd(one, other)) close(other, one.said);
      else if (other === main) {
        other.besides.add(held);
        held.besides.add(other);
      }
    }
  };

  const deny = (one: Placed<T>): void => {
    const { held, isInDoubt } = deniedBy(one, inSlot(one.slot).get(one.id), () =>
      [...open.values()].flatMap(slot => [...slot.values()]),
    );
    for (const each of held) {
      if (!isInDoubt && mayEnd(one, each)) close(each, one.said);
      else each.denials.push(one.said);
    }
  };

  const wasSo = (one: Placed<T>): void => {
    const held = inSlot(one.slot).get(one.id);
    if (held && mayEnd(one, held)) close(held, one.said);
    else held?.denials.push(one.said);
    if (everHeld.has(keyOf(one))) return;
    const over = begin(one);
    over.endsAt ??= one.said.timestamp;
    close(over, undefined);
  };

  for (const one of facts) {
    if (one.leftTo) {
      for (const held of [...inSlot(one.slot).values()])
        if (held.endsAt === undefined && mayEnd(one, held)) close(held, one.leftTo);
    } else if (one.said.fact.stance === 'was') wasSo(one);
    else if (denial(one)) deny(one);
    else say(one);
  }
  for (const held of all) if (held.until === undefined) stopped(held, moment);
  return all.map(held => periodOf(held));
};

const keyOf = ({ slot, id }: Pick<Placed, 'slot' | 'id'>): string => `${slot}\n${id}`;

/** Whether a value began before another is said to be so. */
const isSince = (by: Placed, { from }: { from: number }): boolean =>
  from <= (by.said.fact.validFrom ?? Number.POSITIVE_INFINITY);

/** The value that is likeliest to hold: sure, said by its subject, last. */
const mainOf = <T extends Dated>(open: readonly Held<T>[]): Held<T> | undefined =>
  open.findLast(({ isCertain, isOwn }) => isCertain && isOwn) ??
  open.findLast(({ isCertain }) => isCertain) ??
  open.at(-1);
