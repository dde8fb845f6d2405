import { expect, it } from 'vitest';
import { makeProjectionStore } from '../../../../infra/cluster/projection-store.ts';
import { NONE_REFUSED } from '../../../../services/core/ports/projection-store.ts';
import type { ProjectedBatch, RefusedWrites } from '../../../../services/core/ports.ts';
import { pause } from '../../../support/wait.ts';

const batch = { recall: [{}], usage: [{}], accounts: [{}], logged: [], positions: { 'turns/0': 1 } };

/** Stores that note when they begin and end; the index fails at once, the usage store takes its time. */
const stores = (recall: () => Promise<RefusedWrites>) => {
  const seen: string[] = [];
  const slow = async (name: string): Promise<RefusedWrites> => {
    seen.push(`${name} begins`);
    await pause(20);
    seen.push(`${name} ends`);
    return NONE_REFUSED;
  };
  const store = makeProjectionStore({
    recall: {
      check: async () => {},
      apply: async () => {
        const refused = await recall();
        seen.push('recall');
        return refused;
      },
    },
    usage: { check: async () => {}, apply: () => slow('usage') },
    accounts: { apply: () => slow('accounts') },
    admission: { settle: async () => void seen.push('settled') },
  });
  return { seen, apply: () => store.apply(batch as unknown as ProjectedBatch) };
};

it('tells admission when every store has the batch', async () => {
  const { seen, apply } = stores(async () => new Set());
  await apply();
  expect(seen.at(-1)).toBe('settled');
  expect(seen).toHaveLength(6);
});

it('fails when no write of the batch is under way any more, and settles nothing', async () => {
  const { seen, apply } = stores(async () => {
    throw new Error('refused');
  });
  await expect(apply()).rejects.toThrow('refused');
  expect(seen).toEqual(['usage begins', 'accounts begins', 'usage ends', 'accounts ends']);
});

it('returns what the index refuses for good, and settles nothing: the rest of the batch is applied again', async () => {
  const { seen, apply } = stores(async () => new Set(batch.recall));
  expect(await apply()).toEqual(new Set(batch.recall));
  expect(seen).not.toContain('settled');
  expect(seen).toHaveLength(5);
});
