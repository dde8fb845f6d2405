import { describe, expect, it } from 'vitest';
import { makeLivingParts, namesSaidIn } from '../../../../../domain/facts/names/living-names.ts';
import { ownNamesSet } from '../../../../../domain/facts/names/own-names.ts';
import type { EntityCorrected } from '../../../../../schemas/events/curation/correction.ts';

type Said = Omit<EntityCorrected, 'user_id'>;
const NOTHING = { label: null, merge_into: null, split: [], names: [], into_names: [] };
const merge: Said = {
  ...NOTHING,
  entity: 'Mel',
  merge_into: 'Melanie',
  names: ['Mel', 'Melly'],
  into_names: ['Melanie'],
};
const named = (...names: string[]) => new Set(names);
/** The living parts of these, one after the other. */
const livingCorrections = (corrections: readonly Said[], names: ReadonlySet<string>): Said[] => {
  const living = makeLivingParts();
  return corrections.map(said => living(said, names)).filter(said => said !== undefined);
};

describe('living corrections', () => {
  it('says of names what turns still say', () => {
    const all = named(...namesSaidIn(merge));
    expect(livingCorrections([merge], all)).toEqual([merge]);
    expect(livingCorrections([merge], named('mel', 'melanie'))).toEqual([{ ...merge, names: ['Mel'] }]);
    expect(livingCorrections([merge], named('mel', 'melly'))).toEqual([]);
    // Known by another name: the two stay one.
    expect(livingCorrections([merge], named('melly', 'melanie'))).toEqual([
      { ...merge, entity: 'Melly', names: ['Melly'] },
    ]);
    const split = { ...NOTHING, entity: 'Mel', split: ['Nell'], names: ['Mel'] };
    expect(livingCorrections([split], named('mel', 'nell'))).toEqual([split]);
    expect(livingCorrections([split], named('mel'))).toEqual([]);
  });

  it('keeps a label for as long as its name', () => {
    const labelled = { ...merge, label: 'M.' };
    expect(livingCorrections([labelled], named('mel'))).toEqual([{ ...NOTHING, entity: 'Mel', label: 'M.' }]);
    expect(livingCorrections([labelled], named('melanie'))).toEqual([]);
  });

  it('takes a name that a living correction gave for one that was said', () => {
    const apart: Said = {
      ...NOTHING,
      entity: 'Alex',
      split: ['Alex Novak'],
      names: ['Alex'],
      sessions: ['work'],
    };
    const together: Said = {
      ...NOTHING,
      entity: 'Alex Novak',
      merge_into: 'Alex',
      names: ['Alex Novak'],
      into_names: ['Alex'],
    };
    expect(namesSaidIn(apart)).toEqual(['alex', 'alex']);
    expect(livingCorrections([apart, together], named('alex'))).toEqual([apart, together]);
    expect(livingCorrections([together, apart], named('alex'))).toEqual([apart]);
    expect(livingCorrections([apart, together], named())).toEqual([]);
  });

  it("keeps the user's own names, which no turn has to say", () => {
    const own = ownNamesSet(['Ada']);
    expect(namesSaidIn(own)).toEqual([]);
    expect(livingCorrections([own], named())).toEqual([own]);
    expect(makeLivingParts()(own, named())).toBe(own);
  });
});
