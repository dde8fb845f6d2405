import { describe, expect, it } from 'vitest';
import { answerFirst } from '../../../../domain/ranking/answer-first.ts';
import { answerFit } from '../../../../domain/ranking/answer-fit.ts';
import type { Ranked } from '../../../../domain/ranking/rank.ts';

const none = () => false;
const order = (question: string, texts: readonly string[], follows: (one: Ranked) => boolean = none) =>
  answerFirst(
    texts.map(
      (_, key) =>
        ({
          candidate: { key, id: `${key}`, kind: 'turn', timestamp: key, role: 'user', neighbours: [] },
          score: 0.2 - key / 100,
          chat: 'assistant',
        }) as unknown as Ranked,
    ),
    question,
    follows,
    key => texts[key],
  ).map(({ candidate, score, factor = 1 }) => {
    expect(score / factor).toBeCloseTo(0.2 - candidate.key / 100);
    return texts[candidate.key];
  });

describe('the best turns of a chat with an assistant', () => {
  it.each([
    ['Which handset am I using?', "I've got an old pixel now, the same number as before."],
    ['What time is the dentist?', 'The dentist is at half two, I moved it again.'],
    ['How much did we bid for the house?', 'We have bid 291k for that house by the river.'],
  ])('have one with words of the kind that is asked for first: %s', (question, answer) => {
    expect(order(question, ['Somebody knocked on the door of the neighbours.', answer])[0]).toBe(answer);
  });

  it('have one about the person asked about before one about another of that name', () => {
    const texts = [
      'My boss Alex lives in Rome, near the river.',
      'My brother Alex lives in Oslo, near the sea.',
    ];
    expect(order('Where does my brother Alex live?', texts)[0]).toBe(texts[1]);
    const others = [texts[0]!, 'We went to the sea with the whole family on Sunday, it rained.'];
    expect(order('Where does my brother Alex live?', others)[0]).toBe(others[1]);
  });

  it('have a short answer to the same question first, unless it says that nobody knows', () => {
    const texts = [
      'The key of the car is in my coat, on the left.',
      'Behind the shed door.',
      'No idea, sorry.',
    ];
    const answered = order('Where is the spare key?', texts, ({ candidate }) => candidate.key > 0);
    expect(answered).toEqual([texts[1], texts[0], texts[2]]);
  });

  it('have a long answer first though it asks something too', () => {
    const long = `I would say so, wouldn't I? ${'But the key was always in the shed, behind the door. '.repeat(8)}`;
    const texts = ['The key of the car is in my coat, on the left.', long];
    expect(order('Where is the spare key?', texts, ({ candidate }) => candidate.key > 0)[0]).toBe(long);
  });

  it('have courtesies last', () => {
    expect(
      order('Where is the key?', ['ok thanks', 'In the blue drawer of the kitchen, I think.'])[0],
    ).toMatch(/blue/);
  });
});

describe('the confidence', () => {
  const said = (...texts: string[]) => texts.map(text => ({ text, role: 'user' }));

  it('is lower where no turn has words of the kind asked for about the person asked about', () => {
    const turns = said('Anneke is in Rotterdam until friday.', 'Wren is 8 and climbs.', 'We need milk.');
    expect(answerFit('How old is Anneke?', turns, true)).toBe(0.5);
    expect(answerFit('How old is Wren?', turns, true)).toBeGreaterThan(0.5);
    expect(answerFit('How old is Anneke?', turns, false)).toBe(1);
  });

  it.each([
    'How should I store the bread?',
    'Can you list in order which jobs I told you about?',
    'How did the dinner go over the course of the evening?',
    'How many days are there between my flight and the first day of my new job?',
    'What was it that Wren told everybody about the phone that somebody had left on the train to school that day?',
  ])('is not lowered where what answers has no kind of words: %s', question => {
    expect(answerFit(question, said('We need milk.', 'It rained.'), true)).toBe(1);
  });

  it('is lower where all is about somebody else, or several have the name', () => {
    const rome = said('My boss Alex lives in Rome.');
    expect(answerFit('Where does my brother Alex live?', rome, false)).toBeLessThan(0.5);
    expect(answerFit('Where does my boss Alex live?', rome, false)).toBe(1);
    const both = [...rome, ...said('My brother Alex lives in Oslo.')];
    expect(answerFit('Where does Alex live?', both, false)).toBeLessThan(1);
  });
});
