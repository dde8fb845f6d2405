import { describe, expect, it } from 'vitest';
import { digestOf, type Refusal } from '../../../../../../services/surfaces/mcp/transport/guard.ts';
import { makeWrongKeys } from '../../../../../../services/surfaces/mcp/transport/wrong-keys.ts';

const WRONG: Refusal = { status: 401, message: 'The API key is not known.' };

/** Turnstone takes the keys of `good`, and counts what it is asked. */
const world = (good: string[] = []) => {
  let now = 0;
  const asked: string[] = [];
  const tryKey = makeWrongKeys(() => now);
  const attempt = async (key: string): Promise<number> => {
    const tried = await tryKey({
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
  const attempts = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, number) => attempt(`wrong ${number}`)));
  const pass = (ms: number) => {
    now += ms;
  };
  return { attempt, attempts, pass, asked, good };
};

describe('wrong keys', () => {
  it('keep out no other key, however many there were', async () => {
    const { attempt, attempts } = world(['new']);
    expect(new Set(await attempts(1_100))).toEqual(new Set([401]));
    expect(await attempt('new')).toBe(200);
  });

  it('are not sent on again within a minute, and are told the same', async () => {
    const { attempt, pass, asked } = world();
    expect([await attempt('wrong'), await attempt('wrong')]).toEqual([401, 401]);
    expect(asked).toEqual(['wrong']);
    pass(60_000);
    await attempt('wrong');
    expect(asked).toHaveLength(2);
  });

  it('are also those that were taken before, once they are refused', async () => {
    const { attempt, good } = world(['ada']);
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
