import { expect, it } from 'vitest';
import { makeDestroy } from '../../../../../infra/cluster/keys/destroy.ts';
import type { FoundKey } from '../../../../../infra/cluster/keys/lookup.ts';

const world = ({ living = [], cached = [] }: { living?: string[]; cached?: string[] }) => {
  const told: string[] = [];
  const found = (keyId: string): FoundKey => ({
    key: { keyId, owner: 'o', session: 's', wrapped: new Uint8Array(), under: 'u' } as FoundKey['key'],
    ...{ offset: 0, wrapping: undefined, wrappingOffset: 0 },
  });
  const { destroyKeys } = makeDestroy({
    cache: {
      remove: async () => {},
      removeByIds: async ids => ids.some(id => cached.includes(id)),
      countDestroyed: async () => void told.push('all'),
    },
    lookup: {
      byIds: async ids => new Map(ids.filter(id => living.includes(id)).map(id => [id, found(id)])),
      ofScopes: () => Promise.reject(new Error('Nobody asks.')),
    },
    log: { append: async () => [] },
  });
  return { destroyKeys, told };
};

it('tells every process of each destruction but that of former keys which are destroyed already', async () => {
  for (const [some, are, isTold] of [
    [{}, 'former', false],
    [{ living: ['b'] }, 'former', true],
    [{ cached: ['a'] }, 'former', true],
    [{}, undefined, true],
  ] as const) {
    const { destroyKeys, told } = world(structuredClone(some) as Parameters<typeof world>[0]);
    expect(await destroyKeys(['a', 'b'], are)).toBe(isTold);
    expect(told).toHaveLength(isTold ? 1 : 0);
  }
});
