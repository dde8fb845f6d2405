import { describe, expect, it } from 'vitest';
import { makeNameScore, makeTextRanking } from '../../../../domain/search/ranked-texts.ts';
import { makeWordScore, wordsOfText } from '../../../../domain/search/word-score.ts';
import { language } from '../../../contracts/openers/embedded.ts';

const score = (q: string, text: string, turnsWith = 1): number => {
  const { analyseQuery } = language();
  const statistics = { turns: 10, meanLength: 8, turnsWith: () => turnsWith };
  return makeWordScore(analyseQuery(q, []), statistics)(wordsOfText(text));
};

describe('the score of words', () => {
  it('finds any form of a word, and more of them higher', () => {
    expect(score('roofs', 'I repaired the roof.')).toBeGreaterThan(0);
    expect(score('repairing roofs', 'I repaired the roof.')).toBeGreaterThan(
      score('repairing boats', 'I repaired the roof.'),
    );
    expect(score('roof', 'roof roof roof roof')).toBeLessThanOrEqual(1);
    expect(score('roof', 'a rare roof', 1)).toBeGreaterThan(0);
  });

  it('finds nothing by a neighbour of a word alone', () => {
    expect(score('car', 'He drives a vehicle, an automobile, a truck.')).toBe(0);
    expect(score('car', 'The car is a vehicle.')).toBeGreaterThan(score('car', 'The car is a present.'));
  });

  it('has the stems that a document has', () => {
    const { analyse } = language();
    const text = "Ada's children were running, écoles, 東京 and the 3rd one";
    const document = analyse(text, { role: 'user', timestamp: 0 });
    const words = wordsOfText(text);
    expect(words.length).toBe(document.length);
    expect([...document.stems].map(stem => words.count(stem))).toEqual([...document.counts]);
  });
});

describe('the ranking of short texts', () => {
  const ranked = (q: string, texts: string[]): string[] => {
    const ranking = makeTextRanking(q);
    for (const text of texts) ranking.add(text);
    return texts.filter(text => ranking.score(text) > 0).sort((a, b) => ranking.score(b) - ranking.score(a));
  };

  it('puts the rarer word first, and leaves out what has none', () => {
    const titles = ['The garden', 'The house in the garden', 'The houses', 'A garden', 'Nothing'];
    expect(ranked('house of the garden', titles)[0]).toBe('The house in the garden');
    expect(ranked('house', titles).sort()).toEqual(['The house in the garden', 'The houses']);
    expect(ranked('…', titles)).toEqual([]);
    // Nothing else is asked for.
    expect(ranked('the', titles)).toHaveLength(3);
  });

  it('knows a name by a part of it, the whole before', () => {
    const nameScore = makeNameScore('  ÁDA ');
    expect([nameScore('ada'), nameScore('Adam'), nameScore('ben')]).toEqual([1, 0.75, 0]);
    expect(makeNameScore(' ')('ada')).toBe(0);
  });
});
