import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeIdGroups } from '../../../../../domain/facts/names/id-groups.ts';

/** The groups, each written down whenever it grows. */
const written = () => {
  const groups = new Map<string, ReadonlySet<string>>();
  return {
    join: (ids: readonly string[]): void => {
      const all = new Set(ids.flatMap(one => [one, ...(groups.get(one) ?? [])]));
      if (all.size > 1) for (const one of all) groups.set(one, all);
    },
    of: (id: string): string[] => [...(groups.get(id) ?? [id])],
  };
};

const ID = fc.integer({ min: 0, max: 14 }).map(n => `id${n}`);

describe('groups of ids', () => {
  it('have the same ids in the same order as groups that are written down at each join', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ ids: fc.array(ID, { maxLength: 4 }), asked: fc.option(ID) }), { maxLength: 30 }),
        joins => {
          const [groups, expected] = [makeIdGroups(), written()];
          for (const { ids, asked } of joins) {
            groups.join(ids);
            expected.join(ids);
            if (asked !== null) expect(groups.of(asked)).toEqual(expected.of(asked));
          }
          for (let n = 0; n < 15; n++) expect(groups.of(`id${n}`)).toEqual(expected.of(`id${n}`));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('are joined in a time that does not grow with the group', () => {
    const groups = makeIdGroups();
    const many = 20_000;
    for (let n = 1; n < many; n++) groups.join([`id${n}`, 'id0']);
    expect(groups.of('id7')).toHaveLength(many);
  });
});
