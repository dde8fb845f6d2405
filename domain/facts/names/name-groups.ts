/** Groups of normalised labels that are one entity; each has a root. */
export interface Groups {
  rootOf(key: string): string;
  /** Merges the first label's group into the second's. */
  join(key: string, into: string): void;
  /** Whether `are` holds for any two names of two groups. */
  some(one: string, other: string, are: (a: string, b: string) => boolean): boolean;
}

/** Makes the groups of these merges, each from a label into another. */
export const makeGroups = (links: ReadonlyMap<string, string>): Groups => {
  const roots = new Map<string, string>();
  const members = new Map<string, string[]>();
  const rootOf = (key: string): string => roots.get(key) ?? key;
  const membersOf = (root: string): string[] => members.get(root) ?? [root];
  const join = (key: string, into: string): void => {
    const [from, to] = [rootOf(key), rootOf(into)];
    if (from === to) return;
    const moved = membersOf(from);
    for (const one of moved) roots.set(one, to);
    members.set(to, [...membersOf(to), ...moved]);
    members.delete(from);
  };
  for (const [from, to] of links) join(from, to);
  return {
    rootOf,
    join,
    some: (one, other, are) =>
      membersOf(rootOf(one)).some(a => membersOf(rootOf(other)).some(b => are(a, b))),
  };
};
