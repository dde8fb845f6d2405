import { describe, expect, it, vi } from 'vitest';
import { makeReadModel } from '../../../../../../services/use-cases/recall/models/read-model.ts';
import { scopeOf, smallTalk } from '../../../../domain/ranking/scope.ts';

const { candidates } = scopeOf([smallTalk(6)]);
const bare = candidates.map(candidate => ({ ...candidate, neighbours: [] as never }));
const idOf = (n: number): string => candidates[n]!.id;

const make = () => {
  const vectors = vi.fn(
    async (_snapshot: unknown, ids: readonly string[]) =>
      // The fourth turn has none yet.
      new Map(ids.filter(id => id !== idOf(3)).map(id => [id, Uint8Array.of(1, 2, 1, 2)])),
  );
  const readModel = makeReadModel({ vectors }, { model: 'e5', vector: Int8Array.of(3, 4) });
  return { readModel, vectors };
};

describe('what a model says of turns', () => {
  it('is read of candidates, then of those around them that are none, each turn once', async () => {
    const { readModel, vectors } = make();
    const first = await readModel('s', bare.slice(2, 4));
    expect([...first!.turns.keys()]).toEqual([idOf(2)]);
    const all = await readModel('s', candidates.slice(2, 4), first);
    expect(vectors.mock.calls.map(([, ids]) => [...ids].sort())).toEqual([
      [idOf(2), idOf(3)],
      [idOf(0), idOf(1), idOf(4), idOf(5)],
    ]);
    expect([...all!.turns.keys()].sort()).toEqual([0, 1, 2, 4, 5].map(idOf));
    expect(all!.query).toEqual(Int8Array.of(3, 4));
    expect(await readModel('s', candidates, all)).toBe(all);
    expect(vectors).toHaveBeenCalledTimes(2);
  });

  it('is nothing where no model is asked, and not of observations', async () => {
    const { vectors } = make();
    expect(await makeReadModel({ vectors }, undefined)('s', candidates)).toBeUndefined();
    expect(vectors).not.toHaveBeenCalled();
    const { readModel } = make();
    const none = await readModel(
      's',
      bare.map(one => ({ ...one, kind: 'observation' as const })),
    );
    expect(none!.turns.size).toBe(0);
  });
});
