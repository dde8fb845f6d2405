import { describe, expect, it } from 'vitest';
import { countTokens } from '../../../../core/tokens/count.ts';
import { makeTokenCounter } from '../../../../core/tokens/counter.ts';

const words = (count: number, seed: string): string =>
  Array.from({ length: count }, (_, n) => `${seed}${n}`).join(' ');

describe('the token counter', () => {
  it.each([
    ['short texts', ['a', '', 'two words', '𝔄']],
    ['one long text', [words(9_000, 'word')]],
    ['many texts of several parts', Array.from({ length: 60 }, (_, n) => words(700, `w${n}x`))],
    ['no text', []],
  ])('counts %s as they are counted one by one', async (_what, texts) => {
    expect(await makeTokenCounter()('acme', texts)).toEqual(texts.map(countTokens));
  });

  it('does not hold the process up while it counts', async () => {
    let rounds = 0;
    let isCounted = false;
    const others = (): void => {
      rounds++;
      if (!isCounted) setImmediate(others);
    };
    setImmediate(others);
    const parts = Array.from({ length: 4 }, () => '𝔄'.repeat(60_000));
    await makeTokenCounter()('acme', parts);
    isCounted = true;
    // Counted in this thread, between the parts alone others would have their turn.
    expect(rounds).toBeGreaterThan(4 * parts.length);
  });

  it('gives each organization its turn', async () => {
    const count = makeTokenCounter();
    const ended: string[] = [];
    const of = (org: string, texts: string[]) => count(org, texts).then(() => ended.push(org));
    const large = Array.from({ length: 8 }, (_, n) => words(8_000, `l${n}x`));
    await Promise.all([of('flood', large), of('flood', large), of('good', [words(2_000, 'g')])]);
    expect(ended[0]).toBe('good');
  });

  it('refuses none of many writes of one organization at a time', async () => {
    const count = makeTokenCounter();
    const text = words(700, 'bulk');
    const calls = Array.from({ length: 200 }, () => count('acme', [text]));
    expect(new Set((await Promise.all(calls)).flat())).toEqual(new Set([countTokens(text)]));
  });

  it('ends a call whose signal is aborted', async () => {
    const gone = new AbortController();
    const call = makeTokenCounter()(
      'acme',
      Array.from({ length: 9 }, (_, n) => words(9_000, `a${n}x`)),
      gone.signal,
    );
    gone.abort(new Error('gone'));
    await expect(call).rejects.toThrow('gone');
  });
});
