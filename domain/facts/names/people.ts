/** Decides of whom facts are: which subjects are one, and which of one name are several. Pure. */
import { normaliseLabel } from '../../extraction/names/label.ts';
import { makeIdGroups } from './id-groups.ts';
import { kinLabel } from './kin.ts';
import { namesOf, type SaidOfNames } from './names.ts';
import { ME, ownNames } from './own-names.ts';
import { makeLabelOf, type Saying } from './said-of.ts';

export interface Person {
  id: string;
  /** Shown. */
  label: string;
  /** All labels of the person among those that were read. */
  names: readonly string[];
}

export interface People {
  of(one: Saying): Person;
  /**
   * Returns the subject that a fact is shown with: of whom it is, but by a rule that only compares names, as
   * it was said: such a rule needs all of a user's names.
   */
  shown(one: Saying): Pick<Person, 'id' | 'label'>;
  /** Returns the persons that a label or an id names: of two people of one name both. */
  named(given: string): readonly Person[];
  /** Returns the ids under which facts of these persons may be stored, of their namesakes too. */
  together(id: string): readonly string[];
  /** The id of the person who is the user, where the user's names were set. */
  me: string | undefined;
}

interface Known {
  /** In the order in which they were recorded. */
  corrections?: readonly SaidOfNames[];
  /** Labels of relatives that are known by name: "The user's brother Alex". */
  kin?: readonly string[];
  /** `read` if an entity that isn't among the labels may not be shown. */
  into?: 'read' | 'any';
  /** The id of a normalised label. Default: that of a fact with this subject. */
  idOf?: (key: string) => string;
}

/** Whether a label says a relation, so that it takes the names of relatives to know who is meant. */
export const saysRelation = (said: readonly Saying[]): boolean => {
  const labelOf = makeLabelOf([]);
  return said.some(one => kinLabel(labelOf(one)) !== undefined);
};

/** @param said facts of one user's partition */
export const peopleOf = (
  said: readonly Saying[],
  { corrections = [], kin = [], into = 'read', idOf: idOfKey = ownIds(said) }: Known = {},
): People => {
  const ids = new Map<string, string>();
  const idOf = (key: string): string => {
    const id = ids.get(key) ?? idOfKey(key);
    ids.set(key, id);
    return id;
  };
  const labelOf = makeLabelOf(corrections);
  const labels = new Map<string, { label: string; mentions: number; isPerson: boolean }>();
  const add = (label: string, mentions: number): void => {
    const key = normaliseLabel(label);
    const known = labels.get(key);
    if (known) known.mentions += mentions;
    else labels.set(key, { label, mentions, isPerson: true });
  };
  const spelled = new Map<string, number>();
  for (const one of said) {
    const label = labelOf(one);
    spelled.set(label, (spelled.get(label) ?? 0) + 1);
  }
  for (const [label, mentions] of spelled) add(label, mentions);
  for (const label of kin) add(label, 0);
  const { standing } = namesOf([...labels.values()], corrections, into);
  const rootOf = (key: string): string => standing.get(key)?.key ?? key;
  const persons = new Map<string, Person>();
  for (const [root, keys] of Map.groupBy(labels.keys(), rootOf)) {
    const label = standing.get(keys[0]!)?.label ?? labels.get(root)!.label;
    persons.set(root, {
      id: idOf(root),
      label,
      names: [...new Set([label, ...keys.map(key => labels.get(key)!.label)])],
    });
  }
  const me = ownNames(corrections).length === 0 ? undefined : idOf(rootOf(normaliseLabel(ME)));
  const ofLabels = new Map<string, Person>();
  const of = (one: Saying): Person => {
    const label = labelOf(one);
    const known = ofLabels.get(label);
    if (known) return known;
    const key = normaliseLabel(label);
    const person = persons.get(rootOf(key)) ?? { id: idOf(key), label, names: [label] };
    ofLabels.set(label, person);
    return person;
  };
  let together: People['together'] | undefined;
  const sureLabels = new Map<string, boolean>();
  const isSureLabel = (label: string): boolean => {
    const rule = standing.get(normaliseLabel(label))?.rule;
    const isSure = rule === undefined || rule === 'correction' || rule === 'relation';
    sureLabels.set(label, isSure);
    return isSure;
  };
  return {
    of,
    shown: one => {
      const label = labelOf(one);
      const isSure = sureLabels.get(label) ?? isSureLabel(label);
      return isSure ? of(one) : { id: one.fact.subjectId, label: one.fact.subject };
    },
    named: given => {
      const key = normaliseLabel(given);
      const called = (by: (person: Person) => readonly string[]): Person[] =>
        [...persons.values()].filter(
          person =>
            person.id === given ||
            by(person).some(name => normaliseLabel(name) === key || idOf(normaliseLabel(name)) === given),
        );
      const found = called(({ names }) => names);
      return found.length > 0 ? found : called(callingsOf);
    },
    together: id => {
      together ??= togetherIn([...persons.values()], corrections, idOf);
      return together(id);
    },
    me,
  };
};

/** Ids of facts by their subjects; a person that no fact names so has the label itself. */
const ownIds = (said: readonly Saying[]): ((key: string) => string) => {
  const ids = new Map(said.map(({ fact }) => [normaliseLabel(fact.subject), fact.subjectId]));
  return key => ids.get(key) ?? key;
};

/** Returns what a person is called: the brother Alex is called Alex. */
export const callingsOf = ({ names }: Pick<Person, 'names'>): string[] =>
  names.flatMap(name => [name, kinLabel(name)?.name ?? []].flat());

const togetherIn = (
  persons: readonly Person[],
  corrections: readonly SaidOfNames[],
  idOf: (key: string) => string,
): People['together'] => {
  const groups = makeIdGroups();
  const join = (labels: readonly string[], id?: string): void => {
    const ids = labels.map(label => idOf(normaliseLabel(label)));
    groups.join(id === undefined ? ids : [...ids, id]);
  };
  for (const person of persons)
    join([...callingsOf(person), ...person.names.flatMap(name => kinLabel(name)?.unnamed ?? [])], person.id);
  for (const { sessions, names, split } of corrections) if (sessions) join([...names, ...split]);
  return groups.of;
};
