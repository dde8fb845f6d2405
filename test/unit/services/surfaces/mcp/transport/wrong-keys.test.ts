import { describe, expect, it } from 'vitest';
import { digestOf, type Refusal } from '../../../../../../services/surfaces/mcp/transport/guard.ts';
import { makeWrongKeys } from '../../../../../../services/surfaces/mcp/transport/wrong-keys.ts';

const WRONG: Refusal = { status: 401, message: 'The API key is not known.' };

/** Turnstone takes the keys of `good`, and counts what it is asked. */
const world = (good: string[] = []) => {
  let now = 0;
  const asked: string[] = [];
  const tryKey = makeWrongKeys(() => now);
  const attempt = async (key: string, address = 'a'): Promise<number> => {
    const tried = await tryKey({
      address,
      keyDigest: digestOf(key),
      attempt: async () => {
        asked.push(key);
        if (key === 'nobody answers') throw new Error(key);
        if (!good.includes(key)) throw WRONG;
      },
      refusal: error => (error === WRONG ? WRONG : undefined),
    });
    return tried.ok ? 200 : tried.refusal.status;
  };
  const attempts = (count: number, address?: string) =>
    Promise.all(Array.from({ length: count }, (_, number) => attempt(`${address} ${number}`, address)));
  const pass = (ms: number) => {
    now += ms;
  };
  return { attempt, attempts, pass, asked, good };
};

describe('wrong keys', () => {
  it('are sent on ten times a minute from an address, also when they come at once', async () => {
    const { attempt, attempts, pass, asked } = world(['new']);
    expect((await attempts(12)).filter(status => status === 401)).toHaveLength(10);
    expect(asked).toHaveLength(10);
    expect([await attempt('new'), await attempt('new', 'b')]).toEqual([429, 200]);
    pass(59_999);
    expect(await attempt('other')).toBe(429);
    pass(1);
    expect(await attempt('other')).toBe(401);
  });

  it('are sent on twenty times a minute from all addresses together', async () => {
    const { attempt, attempts, asked } = world();
    for (const address of ['a', 'b', 'c']) await attempts(9, address);
    expect(asked).toHaveLength(20);
    expect(await attempt('other', 'd')).toBe(429);
  });

  it('are not sent on again within a minute, and are told the same', async () => {
    const { attempt, pass, asked } = world();
    expect([await attempt('wrong'), await attempt('wrong'), await attempt('wrong', 'b')]).toEqual([
      401, 401, 401,
    ]);
    expect(asked).toEqual(['wrong']);
    pass(60_000);
    await attempt('wrong');
    expect(asked).toHaveLength(2);
  });

  it('do not keep out a key that was taken before, until it is refused itself', async () => {
    const { attempt, attempts, good } = world(['ada']);
    expect(await attempt('ada')).toBe(200);
    await attempts(12);
    expect(await attempt('ada')).toBe(200);
    good.length = 0;
    expect([await attempt('ada'), await attempt('ada')]).toEqual([401, 401]);
  });

  it('are not those that nobody could be asked about', async () => {
    const { attempt, asked } = world();
    for (let time = 0; time < 12; time++)
      await expect(attempt('nobody answers')).rejects.toThrow('nobody answers');
    expect(asked).toHaveLength(12);
    expect(await attempt('wrong')).toBe(401);
  });
});
