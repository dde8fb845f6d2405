/** The graph of whom and what a user speaks of: subjects and entities, joined by the facts that hold. */
import type { EntityItem, FactItem } from '../../../api/types.ts';
import { inWords, isNamed, namesOf } from '../../facts/known.ts';

/** Somebody or something beside the one in the middle. */
export interface Neighbour {
  label: string;
  /** How they are related, as the middle one's attribute: "sibling". */
  as: string[];
  /** The same, where it is said of the neighbour: "sibling of Ada". */
  of: string[];
}

export interface Around {
  label: string;
  /** Kind of the entity, such as person; undefined if no turn names it. */
  kind: string | undefined;
  /** Those with the most relations first. */
  neighbours: Neighbour[];
}

const holds = ({ valid_until, stance }: FactItem): boolean => valid_until === null && stance !== 'was';

/** Returns who is called so: the label that is shown for a name or an id; undefined if it is nobody's. */
const makeLabelOf = (facts: readonly FactItem[], entities: readonly EntityItem[]) => {
  const byId = new Map<string, string>();
  for (const { subject } of facts) byId.set(subject.id, subject.label);
  for (const { id, label, aliases } of entities) {
    byId.set(id, label);
    for (const alias of aliases) byId.set(alias.id, label);
  }
  return (id: string, name: string): string | undefined =>
    byId.get(id) ??
    entities.find(entity => namesOf(entity).some(own => isNamed(own, name)))?.label ??
    facts.find(({ subject }) => isNamed(subject.label, name))?.subject.label;
};

/** Returns the one with the most facts, where the walk begins; undefined without any. */
export const startOf = (facts: readonly FactItem[], entities: readonly EntityItem[]): string | undefined => {
  const counts = new Map<string, number>();
  for (const { subject } of facts.filter(holds))
    counts.set(subject.label, (counts.get(subject.label) ?? 0) + 1);
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  return most?.[0] ?? [...entities].sort((a, b) => b.turns - a.turns)[0]?.label;
};

/** Returns who stands around somebody: those whom their facts name, and those whose facts name them. */
export const around = (facts: readonly FactItem[], entities: readonly EntityItem[], name: string): Around => {
  const labelOf = makeLabelOf(facts, entities);
  const label = labelOf('', name) ?? name;
  const found = new Map<string, Neighbour>();
  const neighbour = (other: string): Neighbour => {
    const one = found.get(other) ?? { label: other, as: [], of: [] };
    found.set(other, one);
    return one;
  };
  const note = (words: string[], attribute: string): void => {
    if (!words.includes(inWords(attribute))) words.push(inWords(attribute));
  };
  for (const { subject, attribute, value, value_id } of facts.filter(holds)) {
    const other = labelOf(value_id, value);
    if (other === undefined || isNamed(other, subject.label)) continue;
    if (isNamed(subject.label, label)) note(neighbour(other).as, attribute);
    else if (isNamed(other, label)) note(neighbour(subject.label).of, attribute);
  }
  const size = ({ as, of }: Neighbour): number => as.length + of.length;
  return {
    label,
    kind: entities.find(one => isNamed(one.label, label))?.kind,
    neighbours: [...found.values()].sort((a, b) => size(b) - size(a) || a.label.localeCompare(b.label, 'en')),
  };
};

/** Returns places on an ellipse in a box of 100 × 100, clockwise; on two rings if they are many. */
export const placesAround = (count: number): { x: number; y: number }[] =>
  Array.from({ length: count }, (_, index) => {
    const angle = (index / count) * 2 * Math.PI - Math.PI / 2;
    const far = count > 8 && index % 2 === 1 ? 0.68 : 1;
    return { x: 50 + 38 * far * Math.cos(angle), y: 50 + 41 * far * Math.sin(angle) };
  });
