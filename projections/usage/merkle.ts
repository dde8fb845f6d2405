/** The Merkle tree of RFC 6962, section 2.1, over what events bill. */
import { hash } from 'node:crypto';

export interface BilledEvent {
  id: string;
  tokensIn: number;
  tokensOut: number;
}

/** Returns the input of a leaf's hash: the event as compact JSON, `["trn_…",12,0]`, in UTF-8. */
const leafInput = ({ id, tokensIn, tokensOut }: BilledEvent): Buffer =>
  Buffer.from(JSON.stringify([id, tokensIn, tokensOut]));

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);
const sha256 = (...parts: readonly Buffer[]): Buffer => hash('sha256', Buffer.concat(parts), 'buffer');

interface Subtree {
  leaves: number;
  root: Buffer;
}

/**
 * A tree that grows leaf by leaf and holds one complete subtree for each bit of the number of its leaves: the
 * split of the RFC, at the greatest power of two below that number, joins the same subtrees from the right.
 */
export const makeMerkleTree = () => {
  const subtrees: Subtree[] = [];
  return {
    add: (event: BilledEvent): void => {
      let last: Subtree = { leaves: 1, root: sha256(LEAF, leafInput(event)) };
      while (subtrees.at(-1)?.leaves === last.leaves)
        last = { leaves: 2 * last.leaves, root: sha256(NODE, subtrees.pop()!.root, last.root) };
      subtrees.push(last);
    },
    /** Hexadecimal; of an empty tree the hash of nothing. */
    root: (): string =>
      subtrees
        .map(({ root }) => root)
        .reduceRight<Buffer | undefined>(
          (right, left) => (right ? sha256(NODE, left, right) : left),
          undefined,
        )
        ?.toString('hex') ?? hash('sha256', '', 'hex'),
  };
};
