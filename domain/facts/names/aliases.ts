/**
 * Finds labels that name the same person: "Mel", "Mell" and "Melanie". A label merges only if exactly one
 * other person fits, so that two people never become one. The evidence is kept, and a pair that somebody set
 * apart never merges.
 */
import { isGivenName } from '../../extraction/names/entity-kinds.ts';
import { normaliseLabel } from '../../extraction/names/label.ts';
import { kinIn, type Mentioned } from './kin.ts';
import { type Neighbours, neighboursAmong } from './one-letter.ts';
import { SHORT_FORMS } from './short-names.ts';

export type { Mentioned };

export type AliasRule =
  /** "Dr. Anna Meier": "Anna Meier" */
  | 'honorific'
  /** "Vikram D": "Vikram Desai" */
  | 'initial'
  /** "Melanie": "Melanie Price" */
  | 'first_name'
  /** "Mel": "Melanie"; "Mike Price": "Michael Price" */
  | 'short_form'
  /** "Melanei": "Melanie" */
  | 'typo'
  /** "The user's brother Alex": "Alex"; "The user's brother": "The user's brother Alex" */
  | 'relation';

export interface Alias {
  /** The person's label in its most frequent spelling. */
  canonical: string;
  /** The evidence: the rule, and the label that was matched, which may itself be an alias. */
  rule: AliasRule;
  matched: string;
}

interface Person extends Mentioned {
  key: string;
  words: string[];
  title: string | undefined;
}

type Candidate = readonly [Person, AliasRule];

const set = (text: string): ReadonlySet<string> => new Set(text.split(' '));
/** Titles in one group can belong to the same person: "Ms Lee" and "Mrs Lee". */
const TITLES = new Map(
  Object.entries({
    mr: 'mr sir mister',
    ms: 'ms mrs miss madam',
    dr: 'dr doctor',
    prof: 'prof professor',
    aunt: 'aunt auntie',
    uncle: 'uncle',
    coach: 'coach',
  }).flatMap(([group, titles]) => titles.split(' ').map(title => [title, group] as const)),
);
/** Roles, which are no names. */
const NO_NAMES = set('user assistant system tool bot human agent support');
const NAME = /^\p{L}[\p{L}\p{M}'’-]*\.?$/u;
/** A name counts as a typo of another that is mentioned at least this many times as often. */
const FAR_MORE = 5;
/**
 * Minimum letters of a typo. Shorter names are one letter apart from many others; of them only a doubled last
 * letter is a typo ("Mell").
 */
const LONG_ENOUGH = 5;

/**
 * Returns the alias of each label that stands for another person's label.
 *
 * @param labels of persons, of one user's partition; labels of other kinds never merge
 * @param isApart whether two normalised labels are two persons, as somebody corrected
 * @param ownerOf the normalised label of the person that has relatives, who may have several names
 * @returns by normalised label; labels that stand for themselves have no entry. The order of the labels
 * doesn't matter.
 */
export const aliasesOf = (
  labels: readonly Mentioned[],
  isApart: (one: string, other: string) => boolean = () => false,
  ownerOf: (key: string) => string = key => key,
): Map<string, Alias> => {
  const { kin, others } = kinIn(labels, ownerOf);
  const persons = personsOf([...others, ...kin.names]);
  const candidatesOf = candidates(persons);
  const roots = new Map<string, { root: Person; by?: Candidate }>();

  /** Returns the person that a label stands for. While that is being determined, it stands for itself. */
  const rootOf = (person: Person): Person => {
    const known = roots.get(person.key);
    if (known) return known.root;
    roots.set(person.key, { root: person });
    let only: { root: Person; by: Candidate } | undefined;
    for (const by of candidatesOf(person)) {
      if (kin.areApart(person.key, by[0].key)) continue;
      const root = rootOf(by[0]);
      if (root === person) continue;
      // A second person fits, or a correction set them apart: the label stands for itself.
      if (isApart(person.key, by[0].key) || isApart(person.key, root.key) || (only && only.root !== root))
        return person;
      only ??= { root, by };
    }
    if (only) roots.set(person.key, only);
    return only?.root ?? person;
  };

  const found = new Map<string, Alias>();
  for (const person of persons.values()) {
    rootOf(person);
    const { root, by } = roots.get(person.key)!;
    if (by) found.set(person.key, { canonical: root.label, rule: by[1], matched: by[0].label });
  }
  const shownAs = (label: string): string => {
    const key = normaliseLabel(label);
    return found.get(key)?.canonical ?? persons.get(key)?.label ?? label;
  };
  for (const [key, matched] of kin.links(label => normaliseLabel(shownAs(label)))) {
    const canonical = shownAs(matched);
    if (isApart(key, normaliseLabel(matched)) || isApart(key, normaliseLabel(canonical))) continue;
    found.set(key, { canonical, rule: 'relation', matched });
  }
  return found;
};

/**
 * Returns persons by normalised label, sorted, so that the order of the labels makes no difference; labels
 * that can't be people's names are left out.
 */
const personsOf = (labels: readonly Mentioned[]): Map<string, Person> => {
  const persons = new Map<string, Person & { most: number }>();
  for (const { label, mentions } of labels) {
    const key = normaliseLabel(label);
    const all = key.split(' ');
    if (!all.every(word => NAME.test(word)) || NO_NAMES.has(key)) continue;
    const known = persons.get(key);
    if (known) {
      const isMain = mentions > known.most || (mentions === known.most && label < known.label);
      if (isMain) Object.assign(known, { label, most: mentions });
      known.mentions += mentions;
      continue;
    }
    const title = all.length > 1 ? TITLES.get(bare(all[0]!)) : undefined;
    const words = (title === undefined ? all : all.slice(1)).map(bare);
    persons.set(key, { key, label, mentions, most: mentions, words, title });
  }
  return new Map([...persons].sort(([a], [b]) => (a < b ? -1 : 1)));
};

const bare = (word: string): string => (word.endsWith('.') ? word.slice(0, -1) : word);

/** Returns a function that lists, by all rules, the persons that a label may stand for. */
const candidates = (persons: ReadonlyMap<string, Person>): ((person: Person) => Candidate[]) => {
  const plain = [...persons.values()].filter(({ title }) => title === undefined);
  const titled = Map.groupBy(
    [...persons.values()].filter(({ title }) => title !== undefined),
    ({ words }) => words.join(' '),
  );
  const byFirst = Map.groupBy(plain, ({ words }) => words[0]!);
  const fullNames = Map.groupBy(
    plain.filter(({ words }) => words.length > 1),
    ({ words }) => words[0]!,
  );
  const near = neighboursAmong(plain.filter(({ words }) => words.length === 1).map(({ key }) => key));

  return person => {
    const { words, title } = person;
    const [first = '', ...rest] = words;
    if (title !== undefined) {
      const name = words.join(' ');
      const bareName = persons.get(name);
      // With both "Mr Lee" and "Mrs Lee" known, either may be Lee.
      const titles = new Set(titled.get(name)!.map(other => other.title));
      return bareName && titles.size === 1 ? [[bareName, 'honorific']] : [];
    }
    const shortFor = (SHORT_FORMS.get(first) ?? []).flatMap(full => byFirst.get(full) ?? []);
    if (rest.length > 0) {
      const initial = rest.length === 1 && rest[0]!.length === 1;
      const same = initial
        ? (fullNames.get(first) ?? []).filter(
            ({ words: [, last = ''] }) => last.length > 1 && last.startsWith(rest[0]!),
          )
        : [];
      const long = shortFor.filter(
        ({ words: [, ...others] }) => others.length > 0 && others.join(' ') === rest.join(' '),
      );
      return [
        ...same.map(one => [one, 'initial'] as const),
        ...long.map(one => [one, 'short_form'] as const),
      ];
    }
    return [
      ...(fullNames.get(first) ?? []).map(one => [one, 'first_name'] as const),
      ...shortFor.map(one => [one, 'short_form'] as const),
      ...misspelled(person, persons, byFirst, near).map(one => [one, 'typo'] as const),
    ];
  };
};

/** Returns the names that a single unknown word may be a misspelling of. */
const misspelled = (
  { key, mentions }: Person,
  persons: ReadonlyMap<string, Person>,
  byFirst: ReadonlyMap<string, Person[]>,
  near: Neighbours,
): Person[] => {
  // "Ann", "Anna" and "Anne" are names, and so are "Jon" and "John": different people.
  if (isGivenName(key) || SHORT_FORMS.has(key)) return [];
  const isDoubled = key.length > 3 && key.at(-1) === key.at(-2);
  const once = key.slice(0, -1);
  const meant = near
    .of(key)
    .filter(other => other[0] === key[0] && (other.length >= LONG_ENOUGH || (isDoubled && other === once)))
    .map(other => persons.get(other)!);
  const short = isDoubled ? (SHORT_FORMS.get(once) ?? []).flatMap(full => byFirst.get(full) ?? []) : [];
  return [...meant, ...short].filter(other => other.mentions >= FAR_MORE * mentions);
};
