import type { Dated, Fact, Period } from './dated-facts.ts';
import { mayEnd, type Placed } from './placed.ts';

/** A period while the fold adds to it; the observation that said it last is the last one. */
export interface Held<T extends Dated> {
  said: Fact<T>[];
  slot: string;
  id: string;
  from: number;
  isCertain: boolean;
  isOwn: boolean;
  /** "Also": it was said to hold beside others. */
  adds: boolean;
  /** A said end. */
  endsAt: number | undefined;
  until: number | undefined;
  endedBy: T | undefined;
  /** Other values, of which nobody knows whether they hold instead. */
  besides: Set<Held<T>>;
  /** Denials that may not end it, or of which nobody knows whether they are about it. */
  denials: T[];
}

export const begun = <T extends Dated>(one: Placed<T>): Held<T> => ({
  said: [one.said],
  slot: one.slot,
  id: one.id,
  from: one.stands,
  isCertain: one.isCertain,
  isOwn: one.isOwn,
  adds: one.said.fact.adds ?? false,
  endsAt: one.said.fact.validUntil,
  until: undefined,
  endedBy: undefined,
  besides: new Set(),
  denials: [],
});

/** Adds another observation of the same value; a sure one settles what was in doubt. */
export const saidAgain = <T extends Dated>(held: Held<T>, one: Placed<T>): void => {
  held.said.push(one.said);
  held.adds ||= one.said.fact.adds ?? false;
  held.endsAt = one.said.fact.validUntil ?? held.endsAt;
  if (mayEnd(one, held)) held.denials = [];
  held.isCertain ||= one.isCertain;
  held.isOwn ||= one.isOwn;
};

/** Ends a period when its successor begins; where nothing is said of that, when the successor was said. */
export const endBy = <T extends Dated>(held: Held<T>, by: T): void => {
  held.until = by.fact?.validFrom ?? by.timestamp;
  held.endedBy = by;
};

const lastSaid = <T extends Dated>(said: readonly Fact<T>[]): number | undefined => {
  let last: Fact<T> | undefined;
  for (const one of said)
    if (one.fact.validFrom !== undefined && (!last || one.timestamp >= last.timestamp)) last = one;
  return last?.fact.validFrom;
};

/** A value that was ended by now disputes nothing. */
const disputing = <T extends Dated>({ besides, denials }: Held<T>): T[] => [
  ...[...besides].filter(({ until }) => until === undefined).map(({ said }) => said.at(-1)!),
  ...denials,
];

export const periodOf = <T extends Dated>(held: Held<T>, isPlanned = false): Period<T> => {
  const [latest, ...others] = held.said.toReversed();
  return {
    said: [latest!, ...others],
    slot: held.slot,
    valueId: held.id,
    from: held.from,
    validFrom: lastSaid(held.said),
    until: held.until,
    endedBy: held.endedBy,
    disputedBy: held.until === undefined ? disputing(held) : [],
    isBeside: held.endsAt !== undefined || !held.isCertain,
    isPlanned,
  };
};
