/** Corrections of names once turns that said the names are hidden, have expired or are erased. */

import type { EntityCorrected } from '../../../schemas/events/curation/correction.ts';
import { normaliseLabel } from '../../extraction/names/label.ts';

type SaidOfNames = Omit<EntityCorrected, 'user_id'>;

/** The normalised labels that a correction takes from what was said. */
export const namesSaidIn = ({ me, entity, merge_into, split, names, into_names, sessions }: SaidOfNames) =>
  me !== undefined
    ? []
    : [
        entity,
        ...(merge_into === null ? [] : [merge_into]),
        ...(sessions ? [] : split),
        ...names,
        ...into_names,
      ].map(normaliseLabel);

/**
 * Returns the part of a correction that is about names that a turn still says: a name follows the turns that
 * say it, and its label follows the name. A list of the user's own names follows the user. Undefined where
 * nothing is left.
 */
const livingPart = <Said extends SaidOfNames>(
  said: Said,
  isNamed: (normalised: string) => boolean,
): Said | undefined => {
  if (said.me !== undefined) return said;
  const isLiving = (label: string): boolean => isNamed(normaliseLabel(label));
  const { sessions } = said;
  const names = said.names.filter(isLiving);
  const into_names = said.into_names.filter(isLiving);
  // A person whose main name is gone is still known by the others.
  const entity = isLiving(said.entity) ? said.entity : names[0];
  if (entity === undefined) return undefined;
  const label = entity === said.entity ? said.label : null;
  const merge_into =
    said.merge_into === null || isLiving(said.merge_into) ? said.merge_into : (into_names[0] ?? null);
  // A session's person has a new name, which no turn says.
  const split = sessions ? said.split : said.split.filter(isLiving);
  const relates = merge_into !== null || (split.length > 0 && names.length > 0);
  if (relates) return { ...said, entity, label, merge_into, names, into_names, split };
  if (label === null) return undefined;
  const { sessions: _, ...rest } = said;
  return { ...(rest as Said), entity, label, merge_into: null, split: [], names: [], into_names: [] };
};

/**
 * Returns the living part of one correction after the other, in the order of their recording. A name that a
 * living correction gave stands for its person as one that was said does.
 */
export const makeLivingParts = () => {
  const given = new Set<string>();
  /** @param named those of the normalised labels that `namesSaidIn` gives that a turn still says */
  return <Said extends SaidOfNames>(said: Said, named: ReadonlySet<string>): Said | undefined => {
    const living = livingPart(said, name => named.has(name) || given.has(name));
    if (living && living.label !== null) given.add(normaliseLabel(living.label));
    if (living?.sessions) for (const label of living.split) given.add(normaliseLabel(label));
    return living;
  };
};
