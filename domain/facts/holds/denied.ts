import { isAbout, mayBeNamed, type NamedThing, namedIn } from '../values/kinds.ts';
import { dietsWithout, endedWith, mayEndElsewhere, saysPaired, slotOf } from '../values/slots.ts';
import type { Dated, Fact } from './dated-facts.ts';
import type { Held } from './held.ts';
import { denial, type Placed } from './placed.ts';

/** The values that a denial is about: one of more is in doubt. */
export interface Denied<T extends Dated> {
  held: readonly Held<T>[];
  isInDoubt: boolean;
}

const NOTHING = { held: [], isInDoubt: false };

/** Makes a function that finds what a denial is about among the values that hold. */
export const makeDenied = <T extends Dated>() => {
  const read = new Map<string, NamedThing>();
  const thingOf = ({ id, text, fact }: Fact<T>): NamedThing => {
    const thing = read.get(id) ?? namedIn(fact.value, fact.about, text);
    read.set(id, thing);
    return thing;
  };

  const attributeOf = (held: Held<T>): string => held.said[0]!.fact.attribute;
  /** The value that an end names where it is held of another attribute that is ended in such words. */
  const elsewhere = (by: Fact<T>, open: readonly Held<T>[]): Denied<T> => {
    const ended = thingOf(by);
    const ids = new Map<string, string>();
    const idIn = (attribute: string): string => {
      const id = ids.get(attribute) ?? slotOf({ attribute, value: by.fact.value }, new Map()).id;
      ids.set(attribute, id);
      return id;
    };
    const isIts = (one: Held<T>): boolean => {
      const attribute = attributeOf(one);
      if (attribute === by.fact.attribute) return false;
      const thing = thingOf(one.said.at(-1)!);
      // "My neighbour Greta moved away" is not about the daughter of that name.
      if (ended.kinds.size > 0 && thing.kinds.size > 0 && ended.kinds.isDisjointFrom(thing.kinds))
        return false;
      if (idIn(attribute) === one.id) return true;
      // "The Golf" is the VW Golf; "golf clubs" are no Golf.
      const isNamed = ended.names.length > 0 && ended.names.every(word => thing.names.includes(word));
      return isNamed && mayBeNamed(attribute);
    };
    const held = open.filter(isIts);
    return { held, isInDoubt: held.length > 1 };
  };

  const find = (by: Placed<T>, equal: Held<T> | undefined, open: () => readonly Held<T>[]): Denied<T> => {
    const { fact } = by.said;
    if (denial(by) === 'any') {
      const ended = endedWith(fact.attribute);
      // An end that is told late ends nothing that depended on it and began since.
      const isBefore = (held: Held<T>): boolean =>
        attributeOf(held) === fact.attribute || held.from <= (fact.validFrom ?? Number.POSITIVE_INFINITY);
      const held = open().filter(one => ended.includes(attributeOf(one)) && isBefore(one));
      return { held, isInDoubt: false };
    }
    if (equal) return { held: [equal], isInDoubt: false };
    const all = open();
    const kinds = fact.attribute === 'diet' ? dietsWithout(by.id) : [];
    if (kinds.length > 0) return { held: all.filter(({ id }) => kinds.includes(id)), isInDoubt: false };
    const own = all.filter(held => attributeOf(held) === fact.attribute);
    const here = mayBeNamed(fact.attribute) ? named(namedIn(fact.value), own, thingOf) : NOTHING;
    if (here.held.length > 0 || !mayEndElsewhere(fact.attribute)) return here;
    return elsewhere(by.said, all);
  };

  return (by: Placed<T>, equal: Held<T> | undefined, open: () => readonly Held<T>[]): Denied<T> => {
    const denied = find(by, equal, open);
    const parts = denial(by) === 'any' && by.said.fact.attribute === 'partner';
    const hasLost = denied.held.some(held => attributeOf(held) === 'partner');
    if (denied.isInDoubt || !(parts || hasLost)) return denied;
    // Somebody who has parted from a partner, or lost them, isn't married any more.
    const paired = open().filter(held => saysPaired(held.said[0]!.fact));
    return { ...denied, held: [...denied.held, ...paired] };
  };
};

/** The values of an attribute that an end names in part, or by their kind. */
const named = <T extends Dated>(
  ended: NamedThing,
  all: readonly Held<T>[],
  thingOf: (one: Fact<T>) => NamedThing,
): Denied<T> => {
  const about = all.map(held => isAbout(ended, thingOf(held.said.at(-1)!)));
  const sure = all.filter((_, i) => about[i] === 'yes');
  if (sure.length > 0) return { held: sure, isInDoubt: sure.length > 1 };
  // "My dog died": it is the only animal, or it may be any whose kind nobody said.
  const perhaps = all.filter((_, i) => about[i] === 'perhaps');
  return { held: perhaps, isInDoubt: perhaps.length > 1 || (perhaps.length === 1 && all.length > 1) };
};
