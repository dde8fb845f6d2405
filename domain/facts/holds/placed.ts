/** Facts in the order in which they stand. */
import { normaliseLabel } from '../../extraction/names/label.ts';
import { speakerLabel } from '../../extraction/speaker.ts';
import { isStatement } from '../../identity/identity.ts';
import type { StoredFact } from '../stored-fact.ts';
import { abbreviationsIn, normaliseValue } from '../values/same-value.ts';
import { type Slot, slotOf } from '../values/slots.ts';
import type { Dated, Fact } from './dated-facts.ts';
import { standingTime } from './standing-time.ts';

/** A fact where it stands among others. */
export interface Placed<T extends Dated = Dated> extends Slot {
  said: Fact<T>;
  stands: number;
  isCertain: boolean;
  /** Whether its subject said it, or somebody outside of the conversation. */
  isOwn: boolean;
  /** A correction in another slot, which leaves its place to nothing: what the fact ended stays ended. */
  leftTo?: T | undefined;
}

/** Corrections of corrections that are followed. */
const MOST_CORRECTIONS = 100;
/** A fact that is less certain ends nothing. */
const CERTAIN = 0.8;

/** Whether one fact may end a value, or a plan, that another one says. */
export const mayEnd = (by: Pick<Placed, 'isCertain' | 'isOwn'>, held: { isOwn: boolean }): boolean =>
  by.isCertain && (by.isOwn || !held.isOwn);

/** Returns the slot and the id of a fact's value; what an attribute is of keeps values apart. */
export const slotIn = (fact: StoredFact, longForms: ReadonlyMap<string, string> = new Map()): Slot => {
  const { slot, id } = slotOf(fact, longForms);
  return { slot: fact.about === undefined ? slot : `${normaliseValue(fact.about)}: ${slot}`, id };
};

const isWithoutTurn = ({ id, sourceTurnId }: Dated): boolean =>
  sourceTurnId === undefined || isStatement(id, sourceTurnId);

/**
 * Returns the facts that have a standing time, in its order. Ties: the order of their turns, the order in the
 * turn, the time of recording, the id. A correction has the place of what it corrects.
 *
 * @param facts of one key
 * @param moment Unix milliseconds: no clock that runs ahead puts a fact behind it
 */
export const placed = <T extends Dated>(facts: readonly Fact<T>[], moment: number): Placed<T>[] => {
  const longForms = abbreviationsIn(facts.map(({ fact }) => fact.value));
  const names = new Set(facts.map(({ fact }) => normaliseLabel(fact.subject)));
  const byId = new Map(facts.map(one => [one.id, one]));
  const firstOfTurn = new Map<string, number>();
  for (const { sourceTurnId = '', recordedAt } of facts)
    firstOfTurn.set(sourceTurnId, Math.min(recordedAt, firstOfTurn.get(sourceTurnId) ?? recordedAt));

  const ownTime = ({ fact, timestamp, recordedAt }: Fact<T>): number | undefined => {
    const time = standingTime(fact, timestamp);
    return time === undefined || fact.stance === 'plan' ? time : Math.min(time, recordedAt, moment);
  };
  /** The first fact of a chain of corrections. A plan keeps its own beginning. */
  const origin = (one: Fact<T>): Fact<T> => {
    let first = one;
    for (let followed = 0; followed < MOST_CORRECTIONS; followed++) {
      const corrected = byId.get(first.corrects?.id ?? '');
      if (!corrected || isPlan(corrected) || isPlan(one)) break;
      first = corrected;
    }
    return first;
  };

  const all = facts.flatMap(said => {
    const as = said.corrects ? origin(said) : said;
    const stands = ownTime(as);
    if (stands === undefined) return [];
    const one: Placed<T> = {
      said,
      stands,
      ...slotIn(said.fact, longForms),
      isCertain: (said.fact.certainty ?? 1) >= CERTAIN,
      isOwn: isWithoutTurn(said) || names.has(normaliseLabel(speakerLabel(said.role))),
    };
    return [{ one, as }];
  });
  const turnOf = ({ sourceTurnId = '' }: Fact<T>): string => sourceTurnId;
  return all
    .sort(
      (a, b) =>
        a.one.stands - b.one.stands ||
        a.as.timestamp - b.as.timestamp ||
        firstOfTurn.get(turnOf(a.as))! - firstOfTurn.get(turnOf(b.as))! ||
        compare(turnOf(a.as), turnOf(b.as)) ||
        (a.as.fact.place ?? 0) - (b.as.fact.place ?? 0) ||
        a.as.recordedAt - b.as.recordedAt ||
        compare(a.as.id, b.as.id) ||
        a.one.said.recordedAt - b.one.said.recordedAt ||
        compare(a.one.said.id, b.one.said.id),
    )
    .map(({ one }) => one);
};

/** Whether it denies a value, or without one whatever holds of its attribute. */
export const denial = ({ said: { fact } }: Placed): 'one' | 'any' | undefined => {
  if (!fact.ended || fact.stance === 'was') return undefined;
  return fact.value === '' ? 'any' : 'one';
};

const isPlan = ({ fact }: Fact): boolean => fact.stance === 'plan';
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
