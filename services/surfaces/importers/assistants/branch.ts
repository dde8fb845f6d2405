/**
 * Returns the messages from the first to `leaf`, in that order: exports contain edited questions and
 * regenerated answers in addition to the branch that was shown last. The walk ends at a parent that is
 * missing or was visited before.
 */
export const branchTo = <Id, Node>(
  leaf: Id | undefined,
  nodeOf: (id: Id) => Node | undefined,
  parentOf: (node: Node) => Id | undefined,
): Node[] => {
  const branch: Node[] = [];
  const passed = new Set<Id>();
  let id = leaf;
  while (id !== undefined && !passed.has(id)) {
    passed.add(id);
    const node = nodeOf(id);
    if (node === undefined) break;
    branch.push(node);
    id = parentOf(node);
  }
  return branch.reverse();
};
