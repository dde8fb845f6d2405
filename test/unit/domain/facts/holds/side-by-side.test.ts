import { describe, expect, it } from 'vitest';
import { fact, type More, now } from '../../../../support/worlds/facts.ts';

const diet = (value: string, day: number, more: More = {}) => fact('diet', value, day, more);
const likes = (value: string, day: number, more: More = {}) => fact('likes', value, day, more);
const dislikes = (value: string, day: number, more: More = {}) => fact('dislikes', value, day, more);

describe('values side by side', () => {
  it('add up, and a denial ends the one that it names, or all', () => {
    const cats = fact('allergy', 'cats', 10);
    const nuts = fact('allergy', 'nuts', 20);
    expect(now([cats, nuts])).toEqual(['cats', 'nuts']);
    expect(now([cats, nuts, fact('allergy', 'Cats', 30, { ended: true })])).toEqual(['nuts']);
    expect(now([cats, nuts, fact('allergy', '', 30, { ended: true })])).toEqual([]);
  });

  it.each(['allergy', 'medication', 'language', 'child', 'pet'])('of %s are kept all', attribute => {
    expect(now([fact(attribute, 'Anna', 1), fact(attribute, 'Bert', 2)])).toEqual(['Anna', 'Bert']);
  });

  it('of an attribute that nobody knows are kept all', () => {
    expect(now([fact('shoe_colour', 'red', 10), fact('shoe_colour', 'blue', 20)])).toEqual(['red', 'blue']);
  });
});

describe('diets', () => {
  it('are one kind at a time, with exclusions beside', () => {
    expect(now([diet('vegetarian', 1), diet('a strict vegan', 2)])).toEqual(['a strict vegan']);
    expect(now([diet('vegan', 1), diet('gluten-free', 2), diet('no sugar', 3)])).toEqual([
      'vegan',
      'gluten-free',
      'no sugar',
    ]);
  });

  it('end one by one', () => {
    const all = [diet('vegan', 1), diet('no sugar', 2), diet('gluten free', 3)];
    expect(now([...all, diet('vegan', 4, { ended: true })])).toEqual(['no sugar', 'gluten free']);
    expect(now([...all, diet('sugar-free', 4, { ended: true })])).toEqual(['vegan', 'gluten free']);
    expect(now([...all, diet('omnivore', 4)])).toEqual(['no sugar', 'gluten free', 'omnivore']);
  });
});

describe('likes and dislikes of one thing', () => {
  it('end each other, the later the earlier', () => {
    expect(now([likes('Thai food', 1), dislikes('thai food', 2)])).toEqual(['thai food']);
    expect(now([likes('Thai food', 1), dislikes('Thai food', 2), likes('Thai food', 3)])).toEqual([
      'Thai food',
    ]);
    expect(now([dislikes('cilantro', 1), likes('cilantro', 2)])).toEqual(['cilantro']);
    expect(now([likes('tea', 1), dislikes('coffee', 2)])).toEqual(['tea', 'coffee']);
  });

  it('are of one thing with or without a verb and in the plural', () => {
    expect(
      now([likes('drinking coffee', 1), likes('coffee', 2, { ended: true }), likes('drinking tea', 2)]),
    ).toEqual(['drinking tea']);
    expect(now([likes('eating mushrooms', 1), dislikes('mushroom', 2)])).toEqual(['mushroom']);
    expect(now([likes('to swim', 1), dislikes('swimming', 2)])).toEqual(['swimming']);
    expect(now([likes('playing football', 1), dislikes('watching football', 2)])).toHaveLength(2);
  });

  it('end what is liked, and nothing that is disliked, where a like is denied', () => {
    expect(now([likes('jazz', 1), dislikes('opera', 2), likes('', 3, { ended: true })])).toEqual(['opera']);
  });

  it('end with a food that is eaten again, where they are diets that leave it out', () => {
    const again = fact('diet', 'no meat', 20, { ended: true });
    for (const diet of ['vegetarian', 'vegan']) expect(now([fact('diet', diet, 10), again])).toEqual([]);
    expect(now([fact('diet', 'keto', 10), again])).toEqual(['keto']);
    const eggs = fact('diet', 'no egg', 20, { ended: true });
    expect(now([fact('diet', 'vegetarian', 10), eggs])).toEqual(['vegetarian']);
  });
});
