import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type BilledEvent, makeMerkleTree } from '../../../../projections/usage/merkle.ts';
import { expectProperty } from '../../../support/properties.ts';

const event: fc.Arbitrary<BilledEvent> = fc.record({
  id: fc.string().map(text => `trn_${text}`),
  tokensIn: fc.nat(),
  tokensOut: fc.nat(),
});
const events = fc.uniqueArray(event, { selector: ({ id }) => id, maxLength: 40 });
const some = fc.uniqueArray(event, { selector: ({ id }) => id, minLength: 1, maxLength: 40 });

const rootOf = (leaves: readonly BilledEvent[]): string => {
  const tree = makeMerkleTree();
  for (const leaf of leaves) tree.add(leaf);
  return tree.root();
};

const sha256 = (...parts: readonly Buffer[]): Buffer => {
  const hashed = createHash('sha256');
  for (const part of parts) hashed.update(part);
  return hashed.digest();
};
const leafHash = ({ id, tokensIn, tokensOut }: BilledEvent): Buffer =>
  sha256(Buffer.of(0), Buffer.from(JSON.stringify([id, tokensIn, tokensOut])));

/** The greatest power of two that is less than n. */
const split = (n: number): number => 2 ** Math.floor(Math.log2(n - 1));

/** MTH of RFC 6962, section 2.1, as it is written there. */
const treeHash = (leaves: readonly BilledEvent[]): Buffer => {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return leafHash(leaves[0]!);
  const k = split(leaves.length);
  return sha256(Buffer.of(1), treeHash(leaves.slice(0, k)), treeHash(leaves.slice(k)));
};

/** PATH of section 2.1.1: what an auditor needs beside one leaf. */
const pathOf = (m: number, leaves: readonly BilledEvent[]): Buffer[] => {
  if (leaves.length <= 1) return [];
  const k = split(leaves.length);
  return m < k
    ? [...pathOf(m, leaves.slice(0, k)), treeHash(leaves.slice(k))]
    : [...pathOf(m - k, leaves.slice(k)), treeHash(leaves.slice(0, k))];
};
const rootBy = (leaf: BilledEvent, m: number, size: number, path: readonly Buffer[]): Buffer => {
  if (size <= 1) return leafHash(leaf);
  const k = split(size);
  const last = path.at(-1)!;
  const rest = path.slice(0, -1);
  return m < k
    ? sha256(Buffer.of(1), rootBy(leaf, m, k, rest), last)
    : sha256(Buffer.of(1), last, rootBy(leaf, m - k, size - k, rest));
};

it('a tree that grows leaf by leaf has the root of the RFC after each', () =>
  expectProperty(events, leaves => {
    const tree = makeMerkleTree();
    expect(tree.root()).toBe(treeHash([]).toString('hex'));
    for (const [i, leaf] of leaves.entries()) {
      tree.add(leaf);
      expect(tree.root()).toBe(treeHash(leaves.slice(0, i + 1)).toString('hex'));
    }
  }));

it('a leaf is proved to be in it by its path, and no other leaf is', () =>
  expectProperty(some, fc.nat(), fc.nat({ max: 1_000 }), (leaves, pick, more) => {
    const m = pick % leaves.length;
    const leaf = leaves[m]!;
    const path = pathOf(m, leaves);
    const proves = (claimed: BilledEvent): boolean =>
      rootBy(claimed, m, leaves.length, path).toString('hex') === rootOf(leaves);
    expect(proves(leaf)).toBe(true);
    expect(proves({ ...leaf, tokensIn: leaf.tokensIn + 1 + more })).toBe(false);
    expect(proves({ ...leaf, id: `${leaf.id}x` })).toBe(false);
  }));

it('another leaf, another order, one more or one less is another root', () =>
  expectProperty(some, fc.nat(), fc.nat(), (leaves, one, other) => {
    const root = rootOf(leaves);
    const i = one % leaves.length;
    const j = other % leaves.length;
    const changed = { ...leaves[i]!, tokensOut: leaves[i]!.tokensOut + 1 };
    expect(rootOf(leaves.with(i, changed))).not.toBe(root);
    expect(rootOf(leaves.slice(0, -1))).not.toBe(root);
    expect(rootOf([...leaves, leaves.at(-1)!])).not.toBe(root);
    if (i !== j) expect(rootOf(leaves.with(i, leaves[j]!).with(j, leaves[i]!))).not.toBe(root);
  }));
