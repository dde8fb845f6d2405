/** Titles of sessions and names of users: the last one is shown, and it goes with what it is about. */
import type { Scope } from '../history/steps.ts';
import type { During, Item, Sure } from './item.ts';

const isSame = (one: Scope, other: Scope): boolean =>
  one.org === other.org && one.user === other.user && one.session === other.session;

const overlaps = ({ writes }: Item, call: During): boolean =>
  writes.some(write => write !== call && write.from <= call.to && call.from <= write.to);

export const makeLabels = (items: ReadonlyMap<number, Item>) => {
  const labelsOf = (kind: Item['kind'], scope: Scope): Item[] =>
    [...items.values()].filter(one => one.kind === kind && one.stored !== 'no' && isSame(one.scope, scope));

  return {
    /** It takes the place of the others, of which nobody knows whether they are stored if nobody was told. */
    labelled: (label: Item, call: During, sure: Sure): void => {
      for (const one of labelsOf(label.kind, label.scope)) {
        if (one === label || one.replaced === 'yes' || one.erased === 'yes') continue;
        const isSure = sure === 'yes' && one.stored === 'yes' && !overlaps(one, call);
        one.replaced = isSure ? 'yes' : 'maybe';
        if (!isSure) label.replaced = 'maybe';
      }
    },

    /** Something of the session was hidden, and its title with that; nobody knows when without a `call`. */
    withdrawn: (scope: Scope, call: During | undefined, sure: Sure): void => {
      for (const one of labelsOf('title', scope)) {
        if (one.hidden === 'yes') continue;
        const isSure = sure === 'yes' && one.stored === 'yes' && call !== undefined && !overlaps(one, call);
        one.hidden = isSure && one.erased !== 'maybe' ? 'yes' : 'maybe';
      }
    },

    /** One of them is shown, by its number, or none is, at rest: so the others were replaced or withdrawn. */
    seen: (labels: readonly Item[], shown: number | undefined): void => {
      for (const one of labels) {
        if (one.stored === 'no' || one.erased === 'yes') continue;
        if (one.n === shown)
          Object.assign(one, { stored: 'yes', hidden: 'no', replaced: 'no', erased: 'no' });
        else if ([one.stored, one.hidden, one.replaced, one.erased].includes('maybe')) one.replaced = 'yes';
      }
    },
  };
};
