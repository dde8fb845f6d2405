/**
 * The messages from the first to `leaf`, in this order: exports keep edited questions and other answers beside what
 * was shown last. A parent that is missing, or that was passed before, ends the way.
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
