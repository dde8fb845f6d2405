import { expect, it } from 'vitest';
import { gather, roundEnd } from '../../../../core/timing/round.ts';

const nextRound = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

it('hands over together what one round brought, in its order, and what comes later in the next', async () => {
  const batches: number[][] = [];
  const add = gather('send', (items: number[]) => batches.push(items));
  add(1);
  await Promise.resolve();
  add(2);
  expect(batches).toEqual([]);
  await nextRound();
  expect(batches).toEqual([[1, 2]]);
  add(3);
  await nextRound();
  expect(batches).toEqual([[1, 2], [3]]);
});

it('takes calls that begin together through all stages in one round, each stage with all of them', async () => {
  const stages: string[] = [];
  const send = gather('send', (names: string[]) => stages.push(`sent ${names}`));
  const decide = gather('decide', (calls: { name: string; decided: () => void }[]) => {
    stages.push(`decided ${calls.map(({ name }) => name)}`);
    for (const { decided } of calls) decided();
  });
  const call = async (name: string, hops: number): Promise<void> => {
    await roundEnd();
    stages.push(`began ${name}`);
    // One has a longer way to the next stage than the other.
    for (let hop = 0; hop < hops; hop++) await Promise.resolve();
    await new Promise<void>(decided => decide({ name, decided }));
    for (let hop = 0; hop < hops; hop++) await Promise.resolve();
    send(name);
  };
  const calls = [call('a', 20), call('b', 1)];
  await nextRound();
  await nextRound();
  await Promise.all(calls);
  expect(stages).toEqual(['began a', 'began b', 'decided b,a', 'sent b,a']);
});

it('leaves for the next round what a stage that has begun is given', async () => {
  const seen: number[][] = [];
  const decide = gather('decide', (items: number[]) => {
    seen.push(items);
    const [first] = items;
    if (first! < 3) decide(first! + 1);
  });
  decide(1);
  await nextRound();
  expect(seen).toEqual([[1]]);
  await nextRound();
  await nextRound();
  expect(seen).toEqual([[1], [2], [3]]);
});
