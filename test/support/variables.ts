/** The variables of the configuration, as the tree of schemas/config.ts declares them. */
import type { Variable } from '../../schemas/config-values.ts';

const isVariable = (node: object): node is Variable<unknown> => 'parse' in node;

export const variablesIn = (tree: object): Variable<unknown>[] =>
  Object.values(tree).flatMap(node => (isVariable(node) ? [node] : variablesIn(node)));
