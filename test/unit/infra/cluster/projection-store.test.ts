import { expect, it } from 'vitest';
import { makeProjectionStore } from '../../../../infra/cluster/projection-store.ts';
import type { ProjectedBatch } from '../../../../services/core/ports.ts';
import { pause } from '../../../support/wait.ts';

const batch = { recall: [{}], usage: [{}], accounts: [{}], logged: [], positions: { 'turns/0': 1 } };

/** Stores that note when they begin and end; the index refuses at once, the usage store takes its time. */
const stores = (isRefused: boolean) => {
  const seen: string[] = [];
  const slow = async (name: string): Promise<void> => {
    seen.push(`${name} begins`);
    await pause(20);
    seen.push(`${name} ends`);
  };
  const store = makeProjectionStore({
    recall: {
      check: async () => {},
      apply: async () => {
        if (isRefused) throw new Error('refused');
        seen.push('recall');
      },
    },
    usage: { check: async () => {}, apply: () => slow('usage') },
    accounts: { apply: () => slow('accounts') },
    admission: { shown: async () => void seen.push('shown') },
  });
  return { seen, apply: () => store.apply(batch as unknown as ProjectedBatch) };
};

it('tells admission when every store has the batch', async () => {
  const { seen, apply } = stores(false);
  await apply();
  expect(seen.at(-1)).toBe('shown');
  expect(seen).toHaveLength(6);
});

it('fails when no write of the batch is under way any more, and shows nothing', async () => {
  const { seen, apply } = stores(true);
  await expect(apply()).rejects.toThrow('refused');
  expect(seen).toEqual(['usage begins', 'accounts begins', 'usage ends', 'accounts ends']);
});
