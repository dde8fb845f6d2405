import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Condition, conditionIn, neededTerms, passes } from '../../../../domain/filter/condition.ts';
import { termsOf } from '../../../../domain/filter/terms.ts';
import { ofMetadata } from '../../../../infra/cluster/elasticsearch/metadata-clauses.ts';
import type { Filter, FilterLeaf } from '../../../../schemas/http/queries/filter.ts';
import { parseInstant } from '../../../../schemas/http/queries/instant.ts';
import { expectProperty } from '../../../support/properties.ts';

const key = fc.constantFrom('a', 'b', 'a.b', 'a.c', 'b.a', 'é', 'a\u{1f600}');
const word = fc.constantFrom(
  '',
  'a',
  'b',
  'ab',
  'B',
  'é',
  'z\u{1f600}',
  'z\ufffe',
  '\ufffe',
  'x'.repeat(257),
  'x'.repeat(258),
);
const time = fc.constantFrom(
  '2026-03-01T09:00:00Z',
  '2026-03-01T10:00:00+01:00',
  '2026-03-01T09:00:00.001Z',
  '1969-12-31T23:59:59Z',
);
const amount = fc.constantFrom(-1e300, -1, -0, 0, 0.5, 1, 2, 10, Number.MAX_VALUE, 5e-324);
const scalar = fc.oneof<fc.Arbitrary<string | number | boolean>[]>(word, time, amount, fc.boolean());
const metadata = fc.dictionary(
  key,
  fc.letrec<{ value: unknown }>(tie => ({
    value: fc.oneof(
      { depthSize: 'small', maxDepth: 3 },
      scalar,
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).value,
  { maxKeys: 4, noNullPrototype: true },
);

const operand = fc.oneof(
  word.filter(text => text.length <= 256),
  time,
  amount,
);
const leaf: fc.Arbitrary<FilterLeaf> = fc.oneof(
  fc.record({ key, eq: scalar }),
  fc.record({ key, in: fc.array(scalar, { minLength: 1, maxLength: 3 }) }),
  fc.record({ key, gt: operand }),
  fc.record({ key, gte: operand }),
  fc.record({ key, lt: operand }),
  fc.record({ key, lte: operand }),
  fc.record({ key, exists: fc.boolean() }),
);
const { filter } = fc.letrec<{ filter: Filter }>(tie => {
  const several = fc.array(tie('filter'), { minLength: 1, maxLength: 3 });
  return {
    filter: fc.oneof(
      { depthSize: 'small', maxDepth: 4 },
      leaf,
      fc.record({ all: several }),
      fc.record({ any: several }),
      fc.record({ not: tie('filter') }),
    ),
  };
});

type Says = 'yes' | 'no' | 'unknown';

/** Every value of a dotted key, each element of an array by itself. */
const valuesOf = (value: unknown, path: string, wanted: string): unknown[] => {
  if (Array.isArray(value))
    return value.length === 0
      ? path === wanted
        ? [[]]
        : []
      : value.flatMap(one => valuesOf(one, path, wanted));
  const own = path === wanted ? [value] : [];
  if (typeof value !== 'object' || value === null) return own;
  const prefix = path === '' ? '' : `${path}.`;
  return [...own, ...Object.entries(value).flatMap(([name, one]) => valuesOf(one, prefix + name, wanted))];
};

/** Compares as the contract says: by code points, 256 of them; undefined where it can't be known. */
const difference = (value: unknown, other: string | number): number | undefined => {
  if (typeof other === 'number')
    return typeof value === 'number'
      ? value - other || Number(value > other) - Number(value < other)
      : undefined;
  if (typeof value !== 'string') return undefined;
  const at = parseInstant(other);
  if (at !== undefined) {
    const own = parseInstant(value);
    return own === undefined ? undefined : own - at;
  }
  return Buffer.compare(Buffer.from(value), Buffer.from(other));
};

/** Returns what a leaf says of metadata that is short enough to have all of its terms. */
const leafSays = (one: FilterLeaf, said: object): Says => {
  const values = valuesOf(said, '', one.key);
  if ('exists' in one) return values.length > 0 === one.exists ? 'yes' : 'no';
  if ('eq' in one) return values.includes(one.eq) ? 'yes' : 'no';
  if ('in' in one) return one.in.some(each => values.includes(each)) ? 'yes' : 'no';
  const [operator, other] = Object.entries(one).find(([name]) => name !== 'key') as [string, string | number];
  const holds = {
    gt: (d: number) => d > 0,
    gte: (d: number) => d >= 0,
    lt: (d: number) => d < 0,
    lte: (d: number) => d <= 0,
  }[operator]!;
  // An empty array has no value, so that there is none to compare.
  const differences = values.filter(value => !Array.isArray(value)).map(value => difference(value, other));
  if (differences.some(each => each !== undefined && holds(each))) return 'yes';
  return differences.includes(undefined) ? 'unknown' : 'no';
};

const NOT: Record<Says, Says> = { yes: 'no', no: 'yes', unknown: 'unknown' };
/** Kleene's three values. */
const says = (one: Filter, said: object): Says => {
  if ('not' in one) return NOT[says(one.not, said)];
  if ('all' in one) {
    const each = one.all.map(part => says(part, said));
    return each.includes('no') ? 'no' : each.includes('unknown') ? 'unknown' : 'yes';
  }
  if ('any' in one) {
    const each = one.any.map(part => says(part, said));
    return each.includes('yes') ? 'yes' : each.includes('unknown') ? 'unknown' : 'no';
  }
  return leafSays(one, said);
};

const conditionOf = (one: Filter): Condition => conditionIn(one)!;
const passesIn = (one: Filter, said: Record<string, unknown>): boolean =>
  passes(conditionOf(one), termsOf(said));

type Clause = {
  terms?: { metadata: string[] };
  range?: { metadata: { gt?: string; gte?: string; lt?: string; lte?: string } };
  bool?: { filter?: Clause[]; should?: Clause[]; must_not?: Clause };
};
/** Matches as the engine of the cluster does: terms of a keyword sort by their UTF-8 bytes. */
const matches = ({ terms, range, bool }: Clause, stored: readonly string[]): boolean => {
  if (terms) return stored.some(term => terms.metadata.includes(term));
  if (range) {
    const { gt, gte, lt, lte } = range.metadata;
    const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
    return stored.some(
      term =>
        (gt === undefined || compare(term, gt) > 0) &&
        (gte === undefined || compare(term, gte) >= 0) &&
        (lt === undefined || compare(term, lt) < 0) &&
        (lte === undefined || compare(term, lte) <= 0),
    );
  }
  const { filter = [], should, must_not } = bool!;
  return (
    filter.every(one => matches(one, stored)) &&
    (should === undefined || should.some(one => matches(one, stored))) &&
    (must_not === undefined || !matches(must_not, stored))
  );
};

it('passes what three-valued logic says yes to, and nothing else', () =>
  expectProperty(filter, metadata, (one, said) => {
    expect(passesIn(one, said)).toBe(says(one, said) === 'yes');
  }));

it('selects the same in both modes', () =>
  expectProperty(filter, metadata, (one, said) => {
    const terms = termsOf(said);
    expect(matches(ofMetadata(conditionOf(one)) as Clause, terms)).toBe(passes(conditionOf(one), terms));
  }));

it('passes nothing that all of the metadata says no to, where not all of it was kept', () =>
  expectProperty(filter, metadata, fc.integer({ min: 300, max: 420 }), (one, said, many) => {
    const lengthy = Array.from({ length: many }, (_, i) => `number ${i}`);
    for (const long of [
      { first: lengthy, ...said },
      { a: [...lengthy, 'ab', 1, '2026-03-01T09:00:00Z'], b: said },
    ]) {
      if (passesIn(one, long)) expect(says(one, long)).toBe('yes');
      if (passesIn({ not: one }, long)) expect(says(one, long)).toBe('no');
    }
  }));

it('obeys the laws of not, all and any', () =>
  expectProperty(filter, filter, filter, metadata, (a, b, c, said) => {
    const same = (one: Filter, other: Filter): void =>
      expect(passesIn(one, said)).toBe(passesIn(other, said));
    same({ not: { not: a } }, a);
    same({ not: { all: [a, b] } }, { any: [{ not: a }, { not: b }] });
    same({ not: { any: [a, b] } }, { all: [{ not: a }, { not: b }] });
    same({ all: [a, b, c] }, { all: [c, { all: [b, a] }] });
    same({ any: [a, b, c] }, { any: [c, { any: [b, a] }] });
    same({ all: [a, { any: [b, c] }] }, { any: [{ all: [a, b] }, { all: [a, c] }] });
    same({ all: [a, a] }, a);
  }));

it('needs a term of each list that an index may look up', () =>
  expectProperty(filter, metadata, (one, said) => {
    const condition = conditionOf(one);
    const terms = termsOf(said);
    if (!passes(condition, terms)) return;
    for (const needed of neededTerms(condition)) expect(needed.some(term => terms.includes(term))).toBe(true);
  }));

it('has the terms of metadata in order, each once', () =>
  expectProperty(metadata, said => {
    const terms = termsOf(said);
    const sorted = [...new Set(terms)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(terms).toEqual(sorted);
    expect(termsOf(JSON.parse(JSON.stringify(said)))).toEqual(terms);
  }));
