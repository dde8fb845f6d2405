/**
 * Labels that name somebody by a relation: "The user's brother", "The user's brother Alex". The brother is
 * Alex where one brother is known by name. Two people of one name are two where their relations differ.
 */
import { normaliseLabel } from '../../extraction/names/label.ts';
import { kinshipOf, type Relation } from '../../extraction/reading/relations.ts';

/** A label, and how many turns mention it. */
export interface Mentioned {
  label: string;
  mentions: number;
}

/** A label that says a relation, in its parts. */
interface KinLabel extends Mentioned, Relation {
  key: string;
  /** The normalised label of the person whose relative it is. */
  owner: string;
  /** The name that is given with the relation. */
  name: string | undefined;
  /** The label without the name. */
  unnamed: string;
  /** The relative has the name of its owner: a daughter Ada of Ada's. */
  isNamesake?: boolean;
}

type NamedKin = KinLabel & { name: string };

const LABEL = /^(.+)['’]s? (.+)$/u;
/** Adjectives that don't tell one friend from another. */
const TELLS_NOTHING = new Set('best dear close good lovely beloved'.split(' '));
const MOST_LABEL = 256;

/** Whether the words say somebody else than the partner: an ex may have the name of the next one. */
export const isFormerPartner = (adjective: string, relation: string): boolean =>
  /^(?:ex|former|late|previous)$/.test(adjective) && kinshipOf(relation)?.attribute === 'partner';

/** Returns the parts of a label that says a relation, "The user's brother Alex"; undefined for any other. */
export const kinLabel = (label: string): Omit<KinLabel, 'mentions'> | undefined => {
  const [, owner = '', rest = ''] = (label.length > MOST_LABEL ? null : LABEL.exec(label)) ?? [];
  const words = rest.split(' ');
  const at = words.slice(0, 2).findIndex(word => kinshipOf(word) !== undefined);
  if (at < 0) return undefined;
  const name = words.slice(at + 1).join(' ');
  if (name !== '' && !/^\p{Lu}/u.test(name)) return undefined;
  const isFormer = at === 1 && isFormerPartner(words[0]!, words[1]!);
  // "My older brother" may be another one than Alex.
  if (name === '' && at === 1 && !isFormer && !TELLS_NOTHING.has(words[0]!)) return undefined;
  const { attribute, kind } = kinshipOf(words[at]!)!;
  return {
    attribute,
    kind: isFormer ? `ex ${kind}` : kind,
    label,
    key: normaliseLabel(label),
    owner: normaliseLabel(owner),
    name: name || undefined,
    unnamed: name === '' ? label : label.slice(0, -name.length - 1),
  };
};

/** Whether two relatives of one person may be the same by their relations. */
export const mayBeOne = (one: Relation, other: Relation): boolean =>
  one.attribute === other.attribute &&
  (one.kind === other.kind || one.kind === undefined || other.kind === undefined);

export interface Kin {
  /** Names that go with one relation, so that the bare name says who is meant. */
  names: Mentioned[];
  /** Whether two bare names belong to different relatives of somebody. */
  areApart(name: string, other: string): boolean;
  /**
   * Returns the label that each label with a relation stands for.
   *
   * @param personOf the normalised label of the person that a label stands for
   */
  links(personOf: (label: string) => string): [key: string, matched: string][];
}

/**
 * Separates the labels that say a relation from the others.
 *
 * @param rootOf the normalised label of the person that an owner is, who may have several names
 */
export const kinIn = <T extends Mentioned>(
  labels: readonly T[],
  rootOf: (key: string) => string,
): { kin: Kin; others: T[] } => {
  const others: T[] = [];
  const kin: KinLabel[] = [];
  for (const one of labels) {
    const parts = kinLabel(one.label);
    if (parts === undefined) others.push(one);
    else {
      const owner = rootOf(parts.owner);
      const isNamesake = parts.name !== undefined && rootOf(normaliseLabel(parts.name)) === owner;
      kin.push({ ...parts, mentions: one.mentions, owner, isNamesake });
    }
  }
  return { kin: kinOf(kin.sort(mostFirst)), others };
};

const mostFirst = (a: KinLabel, b: KinLabel): number =>
  b.mentions - a.mentions || (a.label < b.label ? -1 : 1);

const kinOf = (kin: readonly KinLabel[]): Kin => {
  const named = kin.filter((one): one is NamedKin => one.name !== undefined);
  const byName = Map.groupBy(named, ({ name }) => normaliseLabel(name));
  const alone = new Map<readonly NamedKin[], boolean>();
  const isOne = (all: readonly NamedKin[]): boolean => {
    let is = alone.get(all);
    if (is === undefined) {
      is = all.every(
        one => !one.isNamesake && all.every(other => one.owner !== other.owner || mayBeOne(one, other)),
      );
      alone.set(all, is);
    }
    return is;
  };
  /** A relative whose name another one has too stands for the first label that says the same. */
  const matchOf = (one: NamedKin): string => {
    const all = byName.get(normaliseLabel(one.name))!;
    if (isOne(all)) return one.name;
    const same = all.find(
      other => other.owner === one.owner && other.attribute === one.attribute && other.kind === one.kind,
    );
    return same!.label;
  };
  return {
    names: [...byName.values()].filter(isOne).map(all => ({
      label: all[0]!.name,
      mentions: all.reduce((sum, { mentions }) => sum + mentions, 0),
    })),
    areApart: (name, other) => {
      const pairs = (byName.get(name) ?? []).flatMap(one =>
        (byName.get(other) ?? []).filter(({ owner }) => owner === one.owner).map(two => mayBeOne(one, two)),
      );
      return pairs.length > 0 && !pairs.includes(true);
    },
    links: personOf => {
      const links = named.map((one): [string, string] => [one.key, matchOf(one)]);
      for (const one of kin.filter(({ name }) => name === undefined)) {
        const known = named.filter(other => other.owner === one.owner && mayBeOne(one, other));
        const persons = new Set(known.map(other => personOf(matchOf(other))));
        if (persons.size === 1) links.push([one.key, known[0]!.label]);
      }
      return links.filter(([key, matched]) => key !== normaliseLabel(matched));
    },
  };
};
