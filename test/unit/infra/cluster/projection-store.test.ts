import { expect, it } from 'vitest';
import type { WriteTargets } from '../../../../core/generations.ts';
import {
  ALL_WRITTEN,
  type Written,
  type WrongVersion,
} from '../../../../core/ports/projection/projection-store.ts';
import type { ProjectedBatch } from '../../../../core/ports.ts';
import { makeProjectionStore } from '../../../../infra/cluster/projection-store.ts';
import { pause } from '../../../support/wait.ts';

const batch = {
  recall: [{}],
  usage: [{}],
  accounts: [{}],
  audit: [],
  activity: [],
  logged: [],
  positions: { 'turns/0': 1 },
};

/** Stores that note when they begin and end; the index fails at once, the usage store takes its time. */
const stores = (
  recall: () => Promise<Written>,
  usage: WriteTargets | WrongVersion = { required: [1], optional: [], beside: [], marked: [] },
) => {
  const seen: string[] = [];
  const slow = async (name: string): Promise<Written> => {
    seen.push(`${name} begins`);
    await pause(20);
    seen.push(`${name} ends`);
    return ALL_WRITTEN;
  };
  const store = makeProjectionStore({
    recall: {
      apply: async () => {
        const written = await recall();
        seen.push('recall');
        return written;
      },
    },
    usage: { targets: async () => usage, apply: () => slow('usage') },
    accounts: { apply: () => slow('accounts') },
    audit: { apply: async () => ALL_WRITTEN },
    activity: { apply: async () => ALL_WRITTEN },
    admission: { settle: async () => void seen.push('settled') },
  });
  return { seen, apply: () => store.apply(batch as unknown as ProjectedBatch) };
};

it('tells admission when every store has the batch', async () => {
  const { seen, apply } = stores(async () => ALL_WRITTEN);
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
  const { seen, apply } = stores(async () => ({ kind: 'written', refused: new Set(batch.recall) }));
  expect(await apply()).toEqual({ kind: 'written', refused: new Set(batch.recall) });
  expect(seen).not.toContain('settled');
  expect(seen).toHaveLength(5);
});

it('settles nothing when a store lacks what it held', async () => {
  const behind = { kind: 'behind', offset: 3, reason: 'it was restored' } as const;
  const { seen, apply } = stores(async () => behind);
  expect(await apply()).toEqual(behind);
  expect(seen).not.toContain('settled');
  expect(seen).toHaveLength(5);
});

it('writes nothing where this release may not write to one of the stores', async () => {
  const wrong = { kind: 'wrong version', reason: 'run replay' } as const;
  const { seen, apply } = stores(async () => ALL_WRITTEN, wrong);
  expect(await apply()).toEqual(wrong);
  expect(seen).toEqual([]);
});
