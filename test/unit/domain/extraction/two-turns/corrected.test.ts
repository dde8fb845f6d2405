import { describe, expect, it } from 'vitest';
import { makeRulesExtractor } from '../../../../../domain/extraction/extract.ts';
import { correctedIn } from '../../../../../domain/extraction/two-turns/corrected.ts';

const extract = makeRulesExtractor();
const said = (own: string, text: string): string[] =>
  extract({ role: 'user', text, own, timestamp: Date.UTC(2025, 2, 3) }).observations.flatMap(({ fact }) =>
    fact === undefined ? [] : [`${fact.attribute} ${fact.ended ? '≠' : '='} ${fact.value}`],
  );

describe('what a turn corrects', () => {
  it.each([
    ['I moved to Leigh. Love it.', 'Sorry, autocorrect. I meant Leeds, not Leigh.', 'I moved to Leeds.'],
    ["I'm 187 cm tall.", 'Typo! 178 cm, not 187.', "I'm 178 cm tall."],
    ['My birthday is 3 May.', "Wrong key. It's 13 May, not 3 May.", 'My birthday is 13 May.'],
    ['I drive a VW Passat.', "Don't know why I said Passat. It's a Polo!", 'I drive a VW Polo.'],
  ])('"%s", "%s"', (before, turn, sentence) => {
    expect(correctedIn(before, turn)?.sentence).toBe(sentence);
  });

  it.each([
    ['I like tea.', 'I like tea, not coffee.'],
    ['I live in Leigh.', "It's sunny, not cold."],
    ['I live in Leigh.', 'Not Leigh.'],
    ['I live in Leighton.', 'Sorry, Leeds, not Leigh.'],
    ['I live in Leigh.', `Sorry, ${'x'.repeat(200)}, not Leigh.`],
  ])('nothing: "%s", "%s"', (before, turn) => {
    expect(correctedIn(before, turn)).toBeUndefined();
  });

  it('says the right value, and of several ends the wrong one', () => {
    expect(said('I moved to Leigh.', 'I meant Leeds, not Leigh.')).toEqual(['home = Leeds']);
    expect(said("I'm allergic to wheat and nuts.", 'Typo: barley, not wheat')).toEqual([
      'allergy = barley',
      'allergy ≠ wheat',
    ]);
  });
});
