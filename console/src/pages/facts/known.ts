/** Arranges a user's facts for the page: by subject and attribute, and with the entities that they name. */
import type { EntityItem, FactItem } from '../../api/types.ts';

/** An attribute of a subject: its current facts, those to come and its former ones. */
export interface KnownAttribute {
  attribute: string;
  /** The object that the attribute is of; null without one. */
  about: string | null;
  /** The latest first. */
  holds: FactItem[];
  planned: FactItem[];
  held: FactItem[];
}

export interface KnownSubject {
  id: string;
  label: string;
  attributes: KnownAttribute[];
}

const key = (label: string): string => label.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();

/** A fact of which nothing says since when is later than all others. */
const start = ({ valid_from }: FactItem): string => valid_from ?? '~';
const latestFirst = (a: FactItem, b: FactItem): number => (start(a) < start(b) ? 1 : -1);

/** The end of a value that no longer holds is always known, its beginning isn't. */
const lastEndedFirst = (a: FactItem, b: FactItem): number =>
  (a.valid_until ?? '') < (b.valid_until ?? '') ? 1 : -1;

/** Whether a fact is a plan that has not begun. */
const isPlanned = ({ stance, valid_from, valid_until }: FactItem, now: number): boolean =>
  stance === 'plan' && valid_until === null && valid_from !== null && Date.parse(valid_from) > now;

const attributeKey = ({ attribute, about }: FactItem): string => `${attribute}\n${about ?? ''}`;

/**
 * Returns subjects with the most attributes first, then by name.
 *
 * @param now Unix milliseconds
 */
export const subjectsOf = (facts: readonly FactItem[], now: number): KnownSubject[] =>
  [...Map.groupBy(facts, ({ subject }) => subject.id)]
    .map(([id, ofSubject]) => ({
      id,
      label: ofSubject[0]!.subject.label,
      attributes: [...Map.groupBy(ofSubject, attributeKey).values()]
        .map(ofAttribute => ({
          attribute: ofAttribute[0]!.attribute,
          about: ofAttribute[0]!.about,
          holds: ofAttribute
            .filter(fact => fact.valid_until === null && !isPlanned(fact, now))
            .sort(latestFirst),
          planned: ofAttribute.filter(fact => isPlanned(fact, now)).sort(latestFirst),
          held: ofAttribute.filter(({ valid_until }) => valid_until !== null).sort(lastEndedFirst),
        }))
        .sort((a, b) => a.attribute.localeCompare(b.attribute, 'en')),
    }))
    .sort((a, b) => b.attributes.length - a.attributes.length || a.label.localeCompare(b.label, 'en'));

/** Returns `favourite colour` for `favourite_colour`. */
export const inWords = (attribute: string): string => attribute.replaceAll('_', ' ');

/** Returns a function that gives the label named by a value: a subject or an entity of the same user. */
export const makeNamed = (
  facts: readonly FactItem[],
  entities: readonly EntityItem[],
): ((value: string) => string | undefined) => {
  const labels = new Map(
    [...entities.flatMap(namesOf), ...facts.map(({ subject }) => subject.label)].map(label => [
      key(label),
      label,
    ]),
  );
  return value => labels.get(key(value));
};

/** Returns the entities without facts about them; they have a page all the same. */
export const withoutFacts = (
  entities: readonly EntityItem[],
  subjects: readonly KnownSubject[],
): EntityItem[] => {
  const known = new Set(subjects.map(({ id }) => id));
  const isKnown = ({ id, aliases }: EntityItem) =>
    [id, ...aliases.map(alias => alias.id)].some(one => known.has(one));
  return entities.filter(entity => !isKnown(entity)).sort((a, b) => b.turns - a.turns);
};

/** Returns all names of an entity, its main label first. */
export const namesOf = ({ label, aliases }: EntityItem): string[] => [
  label,
  ...aliases.map(alias => alias.label),
];

/** Whether two labels are the same; an address may spell one in another case. */
export const isNamed = (label: string, other: string): boolean => key(label) === key(other);
