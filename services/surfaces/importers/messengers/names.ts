interface Person {
  id: string;
  name: string;
}

/** Case tells nobody apart: "Sam" and "sam" would be one person. */
const keyOf = (name: string): string => name.normalize('NFKC').toLowerCase();

/** Returns the name of each person of a chat by id: where two share one, with the id. */
export const namesApart = (people: Iterable<Person>): ReadonlyMap<string, string> => {
  const known = new Map<string, string>();
  for (const { id, name } of people) if (!known.has(id)) known.set(id, name);
  const shared = Map.groupBy(known.values(), keyOf);
  return new Map(
    [...known].map(([id, name]) => [id, shared.get(keyOf(name))!.length > 1 ? `${name} (${id})` : name]),
  );
};
