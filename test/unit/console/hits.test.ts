import { describe, expect, test } from 'vitest';
import type { Recalled } from '../../../console/src/api/types.ts';
import { rankedHits, shownAtOnce } from '../../../console/src/pages/ask/answer/ranked.ts';
import { haveSameBest, makeRankIn, overlapOf } from '../../../console/src/pages/ask/compare/overlap.ts';

type Hits = Recalled['hits'];
const turn = (id: string, score: number, observations?: object[]) =>
  ({ kind: 'turn', id, score, content: id, observations }) as unknown as Hits['turns'][number];
const fact = (id: string, score: number, ...sources: string[]) =>
  ({
    kind: 'observation',
    id,
    score,
    content: id,
    source_turn_ids: sources,
  }) as unknown as Hits['observations'][number];
const name = (id: string, score: number) => ({ kind: 'entity', id, score, label: id }) as const;
const hits = (more: Partial<Hits>): Hits => ({ turns: [], observations: [], entities: [], ...more });
const answer = (more: Partial<Hits>) => ({ hits: hits(more) }) as Recalled;

describe('hits', () => {
  test('are ranked together, with facts under the turn that says them', () => {
    const ranked = rankedHits(
      hits({
        turns: [
          turn('t1', 0.5, [
            { id: 'o1', text: 'o1' },
            { id: 'o3', text: 'o3' },
          ]),
          turn('t2', 0.1),
        ],
        observations: [fact('o1', 0.4, 't1'), fact('o2', 0.3, 'elsewhere')],
        entities: [name('e1', 0.2)],
      }),
    );
    expect(ranked.map(({ hit, rank, facts }) => [hit.id, rank, facts.map(({ id }) => id)])).toEqual([
      ['t1', 1, ['o1', 'o3']],
      ['o2', 3, []],
      ['e1', 4, []],
      ['t2', 5, []],
    ]);
  });

  test('that are weak are folded away, but never one alone, and never the first five', () => {
    const of = (...scores: number[]) =>
      rankedHits(hits({ turns: scores.map((score, i) => turn(`t${i}`, score)) }));
    expect(shownAtOnce(of(0.8, 0.01, 0.01, 0.01, 0.01))).toBe(5);
    expect(shownAtOnce(of(0.8, 0.7, 0.6, 0.5, 0.4, 0.079))).toBe(6);
    expect(shownAtOnce(of(0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.079, 0.01))).toBe(6);
    expect(shownAtOnce([])).toBe(0);
  });
});

describe('two answers', () => {
  const a = answer({ turns: [turn('t1', 0.5), turn('t2', 0.4)] });
  const b = answer({ turns: [turn('t2', 0.6), turn('t1', 0.5)], entities: [name('t1', 0.7)] });

  test('share hits of the same kind and id', () => {
    expect(overlapOf(a, b)).toEqual({ both: 2, onlyA: 0, onlyB: 1 });
    expect(haveSameBest(a, b)).toBe(false);
    expect(haveSameBest(a, a)).toBe(true);
    expect(haveSameBest(answer({}), answer({}))).toBe(false);
  });

  test('tell where a hit of one stands in the other', () => {
    const rankInB = makeRankIn(b);
    expect(rankInB({ kind: 'turn', id: 't1' })).toBe(3);
    expect(rankInB({ kind: 'turn', id: 't3' })).toBeUndefined();
  });
});
