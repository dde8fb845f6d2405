import { isAbout, mayBeNamed, type NamedThing, namedIn } from '../values/kinds.ts';
import type { Dated, Fact } from './dated-facts.ts';
import type { Held } from './held.ts';
import { denial, type Placed } from './placed.ts';

/** The values that a denial is about: one of more is in doubt. */
export interface Denied<T extends Dated> {
  held: readonly Held<T>[];
  isInDoubt: boolean;
}

const nothing = { held: [], isInDoubt: false };

/** Makes a function that finds what a denial is about among the values that hold. */
export const makeDenied = <T extends Dated>() => {
  const read = new Map<string, NamedThing>();
  const thingOf = ({ id, text, fact }: Fact<T>): NamedThing => {
    const thing = read.get(id) ?? namedIn(fact.value, fact.about, text);
    read.set(id, thing);
    return thing;
  };

  return (by: Placed<T>, equal: Held<T> | undefined, open: () => readonly Held<T>[]): Denied<T> => {
    const { fact } = by.said;
    const ofAttribute = (held: Held<T>): boolean => held.said[0]!.fact.attribute === fact.attribute;
    if (denial(by) === 'any') return { held: open().filter(ofAttribute), isInDoubt: false };
    if (equal) return { held: [equal], isInDoubt: false };
    if (!mayBeNamed(fact.attribute)) return nothing;
    const ended = namedIn(fact.value);
    const all = open().filter(ofAttribute);
    const about = all.map(held => isAbout(ended, thingOf(held.said.at(-1)!)));
    const sure = all.filter((_, i) => about[i] === 'yes');
    if (sure.length > 0) return { held: sure, isInDoubt: sure.length > 1 };
    // "My dog died": it is the only animal, or it may be any whose kind nobody said.
    const perhaps = all.filter((_, i) => about[i] === 'perhaps');
    return { held: perhaps, isInDoubt: perhaps.length > 1 || (perhaps.length === 1 && all.length > 1) };
  };
};
