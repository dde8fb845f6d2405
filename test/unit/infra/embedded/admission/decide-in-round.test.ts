import { expect, it, vi } from 'vitest';
import type { AdmitRequest } from '../../../../../core/ports.ts';
import { makeDecideInRound } from '../../../../../infra/embedded/admission/decide-in-round.ts';

const requestOf = (org: string, ...ids: string[]): AdmitRequest => ({
  org,
  recordedAt: 0,
  caps: { tokensIn: 0, tokensOut: 0 },
  claims: ids.map(id => ({ id, tokens: 1, timestamp: 0 })),
  tokensIn: 0,
});
const many = (org: string, count: number): AdmitRequest =>
  requestOf(org, ...Array.from({ length: count }, (_, i) => `${org} ${i}`));

const KNOWN = new Map([['known', true]]);
const start = (decide: (request: AdmitRequest, active: ReadonlyMap<string, boolean>) => string) => {
  const activeOf = vi.fn((ids: readonly string[]) => new Map([...KNOWN].filter(([id]) => ids.includes(id))));
  return { activeOf, ask: makeDecideInRound({ activeOf }, decide) };
};
const outcomesOf = async (calls: Promise<string>[]): Promise<string[]> =>
  (await Promise.allSettled(calls)).map(one =>
    one.status === 'fulfilled' ? one.value : `fault: ${(one.reason as Error).message}`,
  );

it('looks the turns of a round up together, each once', async () => {
  const { activeOf, ask } = start(({ claims }, active) => claims.map(({ id }) => active.has(id)).join());
  const calls = [requestOf('a', 'x', 'known'), requestOf('b'), requestOf('a', 'known', 'y')].map(ask);
  expect(await Promise.all(calls)).toEqual(['false,true', '', 'true,false']);
  expect(activeOf.mock.calls).toEqual([[['x', 'known', 'y']]]);
});

it('rejects a call whose decision throws or that was given up, and decides the others of its round', async () => {
  const { ask } = start(({ org }) => {
    if (org === 'faulty') throw new Error('no room');
    return org;
  });
  const gone = AbortSignal.abort(new Error('gone'));
  const calls = [requestOf('a', 'x'), requestOf('faulty', 'y'), { ...requestOf('b', 'z'), signal: gone }];
  expect(await outcomesOf([...calls, requestOf('c', 'w')].map(ask))).toEqual([
    'a',
    'fault: no room',
    'fault: gone',
    'c',
  ]);
});

it("looks each call up alone where the common look-up fails, so that a fault is its own call's", async () => {
  const { activeOf, ask } = start(({ org }) => org);
  activeOf.mockImplementation(ids => {
    if (ids.includes('poison')) throw new Error('no such turn');
    return new Map();
  });
  const calls = [requestOf('a', 'x'), requestOf('b', 'poison'), requestOf('c', 'y')].map(ask);
  expect(await outcomesOf(calls)).toEqual(['a', 'fault: no such turn', 'c']);
});

it('decides an organization beside another that sends more than one step takes', async () => {
  const decided: string[] = [];
  const { ask } = start(({ org }) => {
    decided.push(org);
    return org;
  });
  const flood = Array.from({ length: 9 }, () => ask(many('loud', 400)));
  await ask(many('calm', 10));
  expect(decided).toEqual(['loud', 'loud', 'calm']);
  await Promise.all(flood);
  expect(decided).toHaveLength(10);
});
