import { expect, it } from 'vitest';
import { gather, roundEnd } from '../../../../core/timing/round.ts';

const nextRound = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
/** The end of a round that brought no calls: it is looked once whether there are more. */
const over = async (): Promise<void> => {
  await nextRound();
  await nextRound();
};

it('hands over together what one round brought, in its order, and what comes later in the next', async () => {
  const batches: number[][] = [];
  const add = gather('send', (items: number[]) => batches.push(items));
  add(1);
  await Promise.resolve();
  add(2);
  expect(batches).toEqual([]);
  await over();
  expect(batches).toEqual([[1, 2]]);
  add(3);
  await over();
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
  // Two calls are looked after once more.
  for (let round = 0; round < 3; round++) await nextRound();
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
  await over();
  expect(seen).toEqual([[1]]);
  await over();
  await over();
  expect(seen).toEqual([[1], [2], [3]]);
});

it('begins calls that come in a row together, and none later than four rounds after the first', async () => {
  const began: string[] = [];
  const call = (name: string): void => void roundEnd().then(() => began.push(name));
  call('a');
  await nextRound();
  await nextRound();
  expect(began).toEqual(['a']);
  began.length = 0;
  // Each round brings two, as it does while a socket after the other is read.
  for (let round = 0; began.length === 0; round++) {
    call(`${round} a`);
    call(`${round} b`);
    await nextRound();
  }
  expect(began).toEqual(['0 a', '0 b', '1 a', '1 b', '2 a', '2 b', '3 a', '3 b', '4 a', '4 b']);
});
