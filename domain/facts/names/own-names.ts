/** The user's own names: a list that makes the role `user` and these names one subject. */
import type { EntityCorrected } from '../../../schemas/events/curation/correction.ts';
import { normaliseLabel } from '../../extraction/names/label.ts';
import { speakerLabel } from '../../extraction/speaker.ts';

type SaidOfNames = Omit<EntityCorrected, 'user_id'>;

/** The subject of what the role `user` says of itself. */
export const ME = speakerLabel('user');

const NOTHING: Omit<SaidOfNames, 'entity'> = {
  label: null,
  merge_into: null,
  split: [],
  names: [],
  into_names: [],
};

/** Returns the correction that sets the user's names, in place of those set before. */
export const ownNamesSet = (names: readonly string[]): SaidOfNames => ({
  ...NOTHING,
  entity: ME,
  me: [...names],
});

/** Returns the names that were set last, the one that is shown first. */
export const ownNames = (corrections: readonly SaidOfNames[]): readonly string[] =>
  corrections.findLast(({ me }) => me !== undefined)?.me ?? [];

/**
 * Returns the corrections with each list of the user's names as merges: each name into the user, who is
 * labelled by the first. A name that is no longer listed is split off.
 */
export const withOwnNames = (corrections: readonly SaidOfNames[]): readonly SaidOfNames[] => {
  if (corrections.every(({ me }) => me === undefined)) return corrections;
  let before: readonly string[] = [];
  return corrections.flatMap(one => {
    const { me } = one;
    if (me === undefined) return [one];
    const listed = new Set(me.map(normaliseLabel));
    const gone = before.filter(name => !listed.has(normaliseLabel(name)));
    before = me;
    return [
      ...(gone.length > 0 ? [{ ...NOTHING, entity: ME, split: gone, names: [ME, ...me] }] : []),
      ...me.map(name => ({ ...NOTHING, entity: name, merge_into: ME, names: [name], into_names: [ME] })),
      { ...NOTHING, entity: ME, label: me[0] ?? ME },
    ];
  });
};
