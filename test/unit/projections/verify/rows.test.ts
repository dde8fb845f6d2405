import { describe, expect, it } from 'vitest';
import type { AccountState } from '../../../../projections/accounts/accounts-projection.ts';
import { accountRow } from '../../../../projections/accounts/verified-accounts.ts';
import type { StoredWrite } from '../../../../projections/recall/recall-writes.ts';
import { recallRow } from '../../../../projections/recall/verified-recall.ts';
import { billedRow, dayRow } from '../../../../projections/usage/verified-usage.ts';
import { type Expected, makeComparison, rowKey } from '../../../../projections/verify/compare.ts';
import { makeDigests, totalOf } from '../../../../projections/verify/digest.ts';
import { makeIdSet } from '../../../../projections/verify/id-set.ts';
import type { Row } from '../../../../projections/verify/row.ts';
import { bucketOf, halved, inSample, restOf, shareOf, WHOLE } from '../../../../projections/verify/sample.ts';

const origin = { topic: 'turns', partition: 2, offset: 7, recordedAt: 1_772_000_000_000 } as const;
const owner = { origin, org: 'acme', user: 'ada', session: 's1' };
const address = { partition: 2, offset: 7, part: 0 };
const spoken = {
  ...owner,
  role: 'user',
  text: 'a kettle',
  timestamp: 1_771_000_000_000,
  document: Buffer.from([1, 2, 3]),
  address,
};
const writes = {
  turn: {
    op: 'turn',
    id: `trn_${'1'.repeat(32)}`,
    ...spoken,
    active: true,
    passive: true,
    length: 2,
  },
  identity: {
    op: 'turn',
    id: `trn_${'2'.repeat(32)}`,
    ...spoken,
    active: false,
    passive: true,
    length: 0,
  },
  observation: {
    op: 'observation',
    id: `obs_${'3'.repeat(32)}`,
    turnId: `trn_${'1'.repeat(32)}`,
    source: 'client',
    ...spoken,
  },
  mention: {
    op: 'entity',
    ...owner,
    id: 'ent_1',
    label: 'Oslo',
    normalised: 'oslo',
    kind: 'place',
    turnId: `trn_${'1'.repeat(32)}`,
  },
  enriched: {
    op: 'enriched',
    ...owner,
    turnId: `trn_${'1'.repeat(32)}`,
    outcome: 'failed',
    reason: 'x',
  },
  job: {
    op: 'job',
    ...owner,
    id: `job_${'4'.repeat(32)}`,
    turnIds: [`trn_${'1'.repeat(32)}`],
    passive: true,
  },
} satisfies Record<string, StoredWrite>;

/**
 * Members that no row is told by: a length and an address are their document's and their event's, an identity
 * has no words.
 */
const UNSEEN: Record<string, readonly string[]> = {
  turn: ['op', 'length', 'address'],
  identity: ['op', 'length', 'address', 'role', 'text', 'timestamp', 'document'],
  observation: ['op', 'address'],
  mention: ['op'],
  enriched: ['op'],
  job: ['op'],
};

const changed = (value: unknown): unknown => {
  if (typeof value === 'string') return `${value}?`;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (value instanceof Uint8Array) return Buffer.concat([value, Buffer.of(0)]);
  if (Array.isArray(value)) return [...value, value[0]];
  throw new Error('a field of an unknown kind');
};

describe('rows', () => {
  for (const [kind, write] of Object.entries(writes)) {
    it(`of kind ${kind}: each field of it matters`, () => {
      const row = recallRow(write);
      expect(row).toMatchObject({ kind, org: 'acme', address: { topic: 'turns', partition: 2, offset: 7 } });
      for (const [field, value] of Object.entries(write)) {
        if (UNSEEN[kind]!.includes(field)) continue;
        if (field === 'origin') {
          for (const [name, of] of Object.entries(origin)) {
            const other = { ...write, origin: { ...origin, [name]: changed(of) } } as StoredWrite;
            expect(recallRow(other).hash, `origin.${name}`).not.toBe(row.hash);
          }
          continue;
        }
        const other = { ...write, [field]: changed(value) } as StoredWrite;
        expect([recallRow(other).kind, recallRow(other).hash], field).not.toEqual([row.kind, row.hash]);
      }
    });
  }

  it('of usage and accounts: each field matters, the order of a document does not', () => {
    const day = { org: 'acme', day: '2026-03-10', tokensIn: 1, tokensOut: 2 };
    const billed = { ...day, eventId: 'rcl_1', source: 's', apiKey: 'k' };
    const at = { topic: 'usage', partition: 1, offset: 3 };
    const row = billedRow(billed, at);
    for (const [field, value] of Object.entries(billed))
      expect(billedRow({ ...billed, [field]: changed(value) }, at).hash, field).not.toBe(row.hash);
    for (const [field, value] of Object.entries(day))
      expect(dayRow({ ...day, [field]: changed(value) }).hash, field).not.toBe(dayRow(day).hash);
    const state = (document: object) =>
      accountRow({ kind: 'organization', id: 'acme', org: 'acme', document } as unknown as AccountState).hash;
    expect(state({ name: 'a', limits: { tokens_in: 1, tokens_out: 2 } })).toBe(
      state({ limits: { tokens_out: 2, tokens_in: 1 }, name: 'a' }),
    );
    expect(state({ name: 'a' })).not.toBe(state({ name: 'b' }));
  });

  it('name a mention without a word of it', () => {
    expect(JSON.stringify({ ...recallRow(writes.mention), hash: '' })).not.toMatch(/oslo/i);
  });
});

const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, n) =>
    recallRow({ ...writes.turn, id: `trn_${n.toString(16).padStart(32, '0')}`, text: `n ${n}` }),
  );

describe('digests', () => {
  const sumOf = (rows: readonly Row[]) => {
    const digests = makeDigests();
    for (const row of rows) digests.add(row);
    return digests.all();
  };

  it("don't depend on the order, and on every row", () => {
    const rows = rowsOf(50);
    expect(sumOf([...rows].reverse())).toEqual(sumOf(rows));
    expect(totalOf(sumOf(rows.slice(1)))).not.toBe(totalOf(sumOf(rows)));
    // As XOR would: a row that is there twice leaves a trace.
    expect(totalOf(sumOf([...rows, rows[0]!, rows[0]!]))).not.toBe(totalOf(sumOf(rows)));
  });

  it('are kept by organization and partition', () => {
    const [one, two] = rowsOf(2) as [Row, Row];
    const digests = sumOf([
      one,
      { ...two, org: 'globex' },
      { ...two, address: { ...two.address!, partition: 3 } },
    ]);
    expect(digests.map(({ org, partition, rows }) => [org, partition, rows])).toEqual([
      ['acme', 2, 1],
      ['acme', 3, 1],
      ['globex', 2, 1],
    ]);
  });
});

describe('samples', () => {
  it('halve to about half, of the rest of which nothing is lost', () => {
    const units = rowsOf(4_000).map(({ unit }) => unit);
    const half = halved(WHOLE);
    const quarter = halved(half);
    expect(shareOf(quarter)).toBe(0.25);
    const inQuarter = units.filter(unit => inSample(quarter, unit));
    expect(inQuarter.length).toBeGreaterThan(900);
    expect(inQuarter.length).toBeLessThan(1_100);
    expect(inQuarter.every(unit => inSample(half, unit))).toBe(true);
    const parts = [quarter];
    for (let next = restOf(quarter); next; next = restOf(next)) parts.push(next);
    expect(parts).toHaveLength(4);
    for (const unit of units) expect(parts.filter(part => inSample(part, unit))).toHaveLength(1);
  });

  it('take ids that differ in their last sign alone to different slots', () => {
    const buckets = Array.from({ length: 16 }, (_, n) => bucketOf(`rcl_${n.toString(16)}`) >>> 29);
    expect(new Set(buckets).size).toBeGreaterThan(3);
  });
});

it('an id set knows what it was told', () => {
  const set = makeIdSet();
  const ids = Array.from({ length: 5_000 }, (_, n) => `id ${n}`);
  expect(ids.every(id => set.add(id))).toBe(true);
  expect(ids.some(id => set.add(id))).toBe(false);
  expect(set.add('another')).toBe(true);
});

describe('a comparison', () => {
  const rows = rowsOf(5);
  const expected = (changes: Partial<Expected>[] = []): Map<string, Expected> =>
    new Map(rows.map((row, i) => [rowKey(row), { ...row, ...changes[i] }]));
  const differences = (stored: readonly Row[], wanted = expected()) => {
    const comparison = makeComparison(wanted);
    for (const row of stored) comparison.stored(row);
    return comparison.end().differences.map(({ how, id }) => [how, id]);
  };

  it('finds nothing in the same rows, in any order', () => {
    expect(differences([...rows].reverse())).toEqual([]);
  });

  it('tells missing, extra and changed rows apart, and a row that is there twice', () => {
    const [a, b, c, d, e] = rows as [Row, Row, Row, Row, Row];
    const strange = { ...e, id: 'trn_strange' };
    expect(differences([a, { ...b, hash: 'f'.repeat(32) }, c, d, d, strange])).toEqual([
      ['changed', b.id],
      ['extra', d.id],
      ['extra', 'trn_strange'],
      ['missing', e.id],
    ]);
  });

  it('passes over what the store refused, and an extractor beside the client', () => {
    const [a, b, c, d, e] = rows as [Row, Row, Row, Row, Row];
    expect(differences([a, b, c, d], expected([{}, {}, {}, {}, { refused: true }]))).toEqual([]);
    expect(differences([...rows, { ...e, hash: 'f'.repeat(32), extracted: true }])).toEqual([]);
    const extracted = expected([{}, {}, {}, {}, { extracted: true }]);
    expect(differences([a, b, c, d, { ...e, extracted: true }], extracted)).toEqual([]);
  });
});
