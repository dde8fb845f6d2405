import type { Row } from './row.ts';

const MODULUS = 2n ** 128n;

/** Digest of one projection's rows in an organization and log partition (-1: not from a single partition). */
export interface Digest {
  projection: string;
  org: string;
  partition: number;
  rows: number;
  /**
   * Sum of the rows' hashes modulo 2^128, hex; independent of the order, and equal rows don't cancel each
   * other out.
   */
  sum: string;
}

export interface Digests {
  add(row: Row): void;
  all(): Digest[];
}

const hex = (sum: bigint): string => sum.toString(16).padStart(32, '0');

export const makeDigests = (): Digests => {
  const sums = new Map<string, Omit<Digest, 'sum'> & { sum: bigint }>();
  return {
    add: row => {
      const { projection, org } = row;
      const partition = row.address?.partition ?? -1;
      const name = `${projection} ${partition} ${org}`;
      const one = sums.get(name) ?? { projection, org, partition, rows: 0, sum: 0n };
      sums.set(name, one);
      one.rows++;
      one.sum = (one.sum + BigInt(`0x${row.hash}`)) % MODULUS;
    },
    all: () =>
      [...sums.values()]
        .map(one => ({ ...one, sum: hex(one.sum) }))
        .sort((a, b) => (key(a) < key(b) ? -1 : 1)),
  };
};

const key = ({ projection, org, partition }: Omit<Digest, 'sum'>): string =>
  JSON.stringify([projection, org, partition]);

/** Combines many digests into one. */
export const totalOf = (digests: readonly Digest[]): string =>
  hex(digests.reduce((sum, one) => (sum + BigInt(`0x${one.sum}`)) % MODULUS, 0n));
