import { describe, expect, it } from 'vitest';
import type { RerankOutcome } from '../../../../../../core/ports.ts';
import type { Ranked } from '../../../../../../domain/ranking/rank.ts';
import { RERANK_LOG_ODDS, RERANKED } from '../../../../../../domain/ranking/rerank.ts';
import { makeRerankBest } from '../../../../../../services/use-cases/recall/models/rerank-best.ts';

/** A ranking of so many turns, best first, a tenth apart. */
const rankingOf = (size: number) => ({
  ranked: Array.from(
    { length: size },
    (_, n) =>
      ({
        candidate: { key: n, id: String(n).padStart(32, '0'), role: 'Ada', timestamp: n },
        sum: 10 - n / 10,
        firstSum: 10 - n / 10,
        score: 0.9 - n / 100,
      }) as Ranked,
  ),
  fragments: async (keys: readonly number[]) =>
    new Map(keys.filter(key => key !== 3).map(key => [key, { key, text: `text ${key}` } as never])),
});

const make = (answer: (texts: readonly string[]) => RerankOutcome) => {
  const asked: (readonly string[])[] = [];
  const rerankBest = makeRerankBest({
    rerank: async (_, texts) => {
      asked.push(texts);
      return answer(texts);
    },
  });
  return { rerankBest, asked };
};

describe('the best hits, reranked', () => {
  it('are the first thirty, with who said them; the others stay behind', async () => {
    const { rerankBest, asked } = make(texts => ({
      kind: 'reranked',
      scores: texts.map((_, i) => (i === 4 ? 1 : 0)),
    }));
    const ranked = await rerankBest('q', rankingOf(40));
    expect(asked).toHaveLength(1);
    expect(asked[0]).toHaveLength(RERANKED);
    expect(asked[0]!.slice(0, 5)).toEqual(['Ada: text 0', 'Ada: text 1', 'Ada: text 2', '', 'Ada: text 4']);
    expect(ranked!.map(({ candidate }) => candidate.key).slice(0, 4)).toEqual([4, 0, 1, 2]);
    const [first] = ranked!;
    const logOdds = (p: number) => Math.log(p / (1 - p));
    expect(logOdds(first!.score) - logOdds(0.86)).toBeCloseTo(RERANK_LOG_ODDS * first!.rerankScore!, 6);
    expect(first!.firstSum).toBe(9.6);
    const scores = ranked!.slice(0, RERANKED).map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(ranked![35]).not.toHaveProperty('rerankScore');
  });

  it('do not depend on the scale of the scores, and stay where all have the same', async () => {
    const order = async (scale: (i: number) => number) => {
      const { rerankBest } = make(texts => ({ kind: 'reranked', scores: texts.map((_, i) => scale(i)) }));
      return (await rerankBest('q', rankingOf(12)))!.map(({ candidate }) => candidate.key);
    };
    expect(await order(i => (i * 7) % 12)).toEqual(await order(i => -3 + ((i * 7) % 12) / 1e4));
    expect(await order(() => 0.5)).toEqual(Array.from({ length: 12 }, (_, n) => n));
  });

  it('are none where the model does not answer, which is found out three times', async () => {
    const { rerankBest, asked } = make(() => ({ kind: 'away', reason: 'HTTP 500' }));
    for (let n = 0; n < 5; n++) expect(await rerankBest('q', rankingOf(5))).toBeUndefined();
    expect(asked).toHaveLength(3);
  });

  it('are not asked for where there is one, or none', async () => {
    const { rerankBest, asked } = make(() => ({ kind: 'away', reason: 'HTTP 500' }));
    expect(await rerankBest('q', rankingOf(1))).toHaveLength(1);
    expect(await rerankBest('q', rankingOf(0))).toEqual([]);
    expect(asked).toEqual([]);
  });
});
