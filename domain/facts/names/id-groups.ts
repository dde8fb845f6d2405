/** Ids that are joined, and those joined with these. */
interface Group {
  /** In the order in which they were joined, each with the group that it was in before. */
  joined: readonly (readonly [id: string, before: Group | undefined])[];
  /** The group that it became a part of. */
  into: Group | undefined;
  /** All ids, once they were asked for. */
  all: readonly string[] | undefined;
}

const lastOf = (group: Group): Group => {
  let last = group;
  while (last.into) last = last.into;
  // The way is shorter for whoever comes next.
  for (let one = group; one.into; ) {
    const next = one.into;
    one.into = last;
    one = next;
  }
  return last;
};

/** Returns the ids of a group: of each joined one in turn itself and the ids of its group before. */
const idsOf = (group: Group): readonly string[] => {
  if (group.all) return group.all;
  const found = new Set<string>();
  const seen = new Set<Group>();
  const stack = [{ group, at: 0 }];
  while (stack.length > 0) {
    const top = stack.at(-1)!;
    const next = top.group.joined[top.at++];
    if (next === undefined) {
      stack.pop();
      continue;
    }
    const [id, before] = next;
    found.add(id);
    if (!before || seen.has(before)) continue;
    seen.add(before);
    if (before.all) for (const one of before.all) found.add(one);
    else stack.push({ group: before, at: 0 });
  }
  group.all = [...found];
  return group.all;
};

/**
 * Groups of ids that belong together. A join takes as long as its own ids: a user with a thousand relatives
 * has one group, which is written down only when it is asked for.
 */
export const makeIdGroups = () => {
  const groups = new Map<string, Group>();
  const groupOf = (id: string): Group | undefined => {
    const known = groups.get(id);
    return known && lastOf(known);
  };
  return {
    /** Joins these ids, and all ids of the groups that they are in. */
    join: (ids: readonly string[]): void => {
      const joined = ids.map(id => [id, groupOf(id)] as const);
      if (joined.every(([id, before]) => id === ids[0] && !before)) return;
      const group: Group = { joined, into: undefined, all: undefined };
      for (const [id, before] of joined) {
        if (before) before.into = group;
        groups.set(id, group);
      }
    },
    /** Returns the ids of the group of this one; the id alone where it is in none. */
    of: (id: string): string[] => {
      const group = groupOf(id);
      return group ? [...idsOf(group)] : [id];
    },
  };
};
