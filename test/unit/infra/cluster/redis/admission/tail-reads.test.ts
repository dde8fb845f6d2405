import { describe, expect, it } from 'vitest';
import type { Ask, Reply } from '../../../../../../infra/cluster/redis/admission/admission-scripts.ts';
import {
  type ListedTail,
  makeTailReads,
} from '../../../../../../infra/cluster/redis/admission/tail-reads.ts';
import { tailTurn, turnRecorded } from '../../../../../support/worlds/builders.ts';

const turns = Array.from({ length: 500 }, (_, n) =>
  tailTurn(turnRecorded(n, { user: n % 2 === 0 ? 'ada' : 'bob', session: `s${n % 3}` })),
);

/** Redis with these turns, and what was asked of it. */
const start = (there = turns) => {
  const asked: string[][] = [];
  const destroyed = new Set<string>();
  const run = async (_name: string, _org: string, { wanted }: Ask): Promise<Reply> => {
    const ids = (wanted as { ids: string[] }[]).flatMap(each => each.ids);
    asked.push(ids);
    return ['ok', ids.map(id => there.find(turn => turn.id === id)?.id ?? null)];
  };
  const tail = {
    openTurns: async (_org: string, texts: readonly string[]) =>
      texts.map(text => there.find(({ id }) => id === text)!),
    stillReadable: async (some: readonly (typeof turns)[0][]) =>
      some.filter(({ keyId }) => !destroyed.has(keyId)),
  };
  return { ...makeTailReads(tail, run), asked, destroyed };
};

const listed = (some: readonly (typeof turns)[0][]): ListedTail =>
  [...Map.groupBy(some, ({ user }) => user)].map(([user, its]) => [user, its.map(({ id }) => id)]);
const idsOf = (some: readonly { id: string }[]): string[] => some.map(({ id }) => id).sort();

describe('the tail in Redis', () => {
  it('is fetched in pages, and each turn once', async () => {
    const { read, asked } = start();
    const all = await read({ org: 'acme' }, 'e1', listed(turns));
    expect(idsOf(all)).toEqual(idsOf(turns));
    expect(asked.map(ids => ids.length)).toEqual([200, 200, 100]);
    expect(idsOf(await read({ org: 'acme' }, 'e1', listed(turns)))).toEqual(idsOf(turns));
    expect(asked).toHaveLength(3);
  });

  it('is read in the scope alone, and only what is listed', async () => {
    const { read } = start();
    const found = await read({ org: 'acme', user: 'ada', session: 's1' }, 'e1', listed(turns));
    expect(idsOf(found)).toEqual(
      idsOf(turns.filter(({ user, session }) => user === 'ada' && session === 's1')),
    );
    expect(await read({ org: 'acme' }, 'e1', [])).toEqual([]);
  });

  it('need not be fetched where this process has written it', async () => {
    const { read, hold, asked } = start();
    hold('e1', turns.slice(0, 3));
    expect(idsOf(await read({ org: 'acme' }, 'e1', listed(turns.slice(0, 4))))).toEqual(
      idsOf(turns.slice(0, 4)),
    );
    expect(asked).toEqual([[turns[3]!.id]]);
  });

  it('is fetched anew after a rebuild', async () => {
    const { read, asked } = start();
    await read({ org: 'acme' }, 'e1', listed(turns.slice(0, 2)));
    await read({ org: 'acme' }, 'e2', listed(turns.slice(0, 2)));
    expect(asked).toHaveLength(2);
  });

  it('lacks what is gone, and what was destroyed since it was opened', async () => {
    const { read, destroyed } = start(turns.slice(1));
    expect(await read({ org: 'acme' }, 'e1', listed(turns.slice(0, 2)))).toEqual([turns[1]]);
    destroyed.add(turns[1]!.keyId);
    expect(await read({ org: 'acme' }, 'e1', listed(turns.slice(1, 2)))).toEqual([]);
  });
});
