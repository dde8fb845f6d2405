import { describe, expect, it } from 'vitest';
import { disputes, fact, type More, now } from '../../../../support/worlds/facts.ts';

const home = (value: string, day: number, more: More = {}) => fact('home', value, day, more);
const allergy = (value: string, day: number, more: More = {}) => fact('allergy', value, day, more);
const pet = (value: string, day: number, text: string, more: More = {}) =>
  fact('pet', value, day, { text, ...more });
const died = (value: string, day: number, more: More = {}) =>
  fact('pet', value, day, { ended: true, ...more });

describe('a value that is not certain', () => {
  const lyon = home('Lyon', 10);
  const porto = home('Porto', 20, { certainty: 0.79 });

  it('stands beside what holds, and both are disputed', () => {
    expect(disputes([lyon, porto])).toEqual({ Lyon: ['Porto'], Porto: ['Lyon'] });
    expect(disputes([lyon, home('Porto', 20, { certainty: 0.8 })])).toEqual({ Porto: [] });
    expect(disputes([porto])).toEqual({ Porto: [] });
  });

  it('is settled by whatever is certain', () => {
    expect(disputes([lyon, porto, home('Porto', 30)])).toEqual({ Porto: [] });
    expect(disputes([lyon, porto, home('Lyon', 30)])).toEqual({ Lyon: [] });
    expect(disputes([lyon, porto, home('Rome', 30)])).toEqual({ Rome: [] });
    expect(disputes([lyon, porto, home('Porto', 30, { ended: true })])).toEqual({ Lyon: [] });
  });

  it('is disputed by what somebody says of themselves, rather than by what another says', () => {
    const other = home('Rome', 15, { role: 'Ben' });
    expect(disputes([lyon, other, porto]).Porto).toEqual(['Lyon']);
  });

  it('denies without ending, until the value is said again', () => {
    const doubt = allergy('cats', 20, { ended: true, certainty: 0.5 });
    expect(disputes([allergy('cats', 10), doubt])).toEqual({ cats: ['not cats'] });
    expect(disputes([allergy('cats', 10), doubt, allergy('cats', 30)])).toEqual({ cats: [] });
    expect(now([lyon, home('lyon', 20, { stance: 'was', certainty: 0.5 })])).toEqual(['Lyon']);
  });

  it('cancels no plan', () => {
    const plan = home('Porto', 20, { from: 50 });
    expect(now([lyon, plan, home('Rome', 30, { from: 60, certainty: 0.5 })], 55)).toEqual(['Porto']);
    expect(now([lyon, plan, home('Porto', 30, { ended: true, certainty: 0.5 })], 55)).toEqual(['Porto']);
  });
});

describe('what another says of somebody', () => {
  const lyon = home('Lyon', 10);
  const ben = (value: string, day: number, more: More = {}) => home(value, day, { role: 'Ben', ...more });

  it('ends nothing that they said themselves', () => {
    expect(disputes([lyon, ben('Porto', 20)])).toEqual({ Lyon: ['Porto'], Porto: ['Lyon'] });
    expect(disputes([lyon, ben('Lyon', 20, { ended: true })])).toEqual({ Lyon: ['not Lyon'] });
    expect(now([lyon, ben('Lyon', 20, { stance: 'was' })])).toEqual(['Lyon']);
  });

  it('ends what others said, and gives way to what they say', () => {
    expect(now([ben('Lyon', 10), ben('Porto', 20)])).toEqual(['Porto']);
    expect(now([ben('Lyon', 10), lyon, ben('Porto', 20), home('Rome', 30)])).toEqual(['Rome']);
    expect(now([lyon, ben('Porto', 20), ben('Rome', 30)])).toEqual(['Lyon', 'Rome']);
  });

  it('becomes theirs once they say it', () => {
    expect(now([ben('Lyon', 10), home('Lyon', 15), ben('Porto', 20)])).toEqual(['Lyon', 'Porto']);
  });

  it('is not what a client states without a turn', () => {
    const id = 'obs_01c1867ad1376fca818c9058dcbb892f';
    const stated = home('Porto', 20, { role: 'user', id, turn: 'trn_01c1867ad1376fca818c9058dcbb892e' });
    expect(now([lyon, stated])).toEqual(['Porto']);
  });

  it('is known by the label under which they speak', () => {
    const of = (role: string, subject: string, value: string, day: number) =>
      home(value, day, { role, subject });
    expect(now([of('user', 'The user', 'Lyon', 1), of('assistant', 'The user', 'Porto', 2)])).toEqual([
      'Lyon',
      'Porto',
    ]);
    expect(now([of('user', 'The user', 'Lyon', 1), of('user', 'The user', 'Porto', 2)])).toEqual(['Porto']);
  });
});

describe('an end that names its value in part', () => {
  const rex = pet('Rex', 1, 'Ada has a dog called Rex.');
  const tofu = pet('Tofu', 2, 'Ada has a cat called Tofu.');
  const bo = pet('Bo', 3, 'Ada has a dog called Bo.');

  it('is of the one with this name', () => {
    for (const named of ['Rex', 'my dog Rex', 'dog Rex', 'the dog called Rex'])
      expect(now([rex, tofu, bo, died(named, 9)]), named).toEqual(['Tofu', 'Bo']);
    expect(now([pet('dog Rex', 1, ''), died('Rex', 9)])).toEqual([]);
    expect(now([rex, died('my cat Rex', 9)])).toEqual(['Rex']);
  });

  it('is of the only one of its kind', () => {
    expect(now([rex, tofu, died('dog', 9)])).toEqual(['Tofu']);
    expect(now([rex, tofu, died('puppy', 9)])).toEqual(['Tofu']);
    expect(now([rex, tofu, died('hamster', 9)])).toEqual(['Rex', 'Tofu']);
    const both = 'Ada has a cat called Tofu and a dog called Rex.';
    expect(now([pet('Rex', 1, both), pet('Tofu', 1, both), died('dog', 9)])).toEqual(['Tofu']);
    expect(now([pet('Rex', 1, '', { about: 'dog' }), tofu, died('dog', 9, { about: 'dog' })])).toEqual([
      'Tofu',
    ]);
  });

  it('is of the only one there is, where nobody said its kind', () => {
    expect(now([pet('Rex', 1, 'Rex is a good boy.'), died('dog', 9)])).toEqual([]);
    expect(disputes([pet('Rex', 1, ''), tofu, died('dog', 9)])).toEqual({ Rex: ['not dog'], Tofu: [] });
  });

  it('ends nothing where it may be one of two', () => {
    expect(disputes([rex, tofu, bo, died('dog', 9)])).toEqual({
      Rex: ['not dog'],
      Tofu: [],
      Bo: ['not dog'],
    });
    expect(now([rex, bo, died('dog', 9), died('Bo', 10)])).toEqual(['Rex']);
  });

  it('is of a partner by the relation, and of a thing by its kind', () => {
    const jo = fact('partner', 'Jo', 1, { text: "Ada's wife is called Jo." });
    expect(now([jo, fact('partner', 'wife', 5, { ended: true })])).toEqual([]);
    expect(now([jo, fact('partner', '', 5, { ended: true })])).toEqual([]);
    const volvo = fact('vehicle', 'Volvo', 1, { text: 'Ada drives a Volvo.' });
    expect(now([volvo, fact('vehicle', 'old car', 5, { ended: true })])).toEqual([]);
  });

  it('is of what is owned, and leaves the home', () => {
    const house = fact('owns', 'house in Rome', 1);
    expect(now([house, fact('owns', 'house', 5, { ended: true })])).toEqual([]);
    expect(now([home('Rome', 1), home('house', 5, { ended: true })])).toEqual(['Rome']);
  });

  it('takes no other allergy for the one that it names', () => {
    expect(now([allergy('tree nuts', 1), allergy('nuts', 5, { ended: true })])).toEqual(['tree nuts']);
  });
});
