import { describe, expect, it } from 'vitest';
import { centredSpace, dot, windowCosine } from '../../../../../domain/ranking/vectors/centred.ts';
import { language } from '../../language/fixture.ts';
import { scopeOf } from '../scope.ts';

const vectorOf = (text: string) => language.analyse(text, { role: '', timestamp: 0 }).vector;
const chat = [
  'I adopted a puppy last week.',
  'The train to Lisbon was late again.',
  'My sister bakes bread on Sundays.',
  'He plays the guitar in a band.',
  'We painted the kitchen yellow.',
  'The doctor said it was only a cold.',
  'They won the match in the last minute.',
  'She is writing her thesis about whales.',
  'Our neighbour keeps bees on the roof.',
  'I lost my umbrella on the bus.',
  'The exam was harder than I thought.',
  'He fixed the old bicycle himself.',
].map(vectorOf);

describe('a centred space', () => {
  const space = centredSpace(chat, 256);
  const cosine = (a: Int8Array, b: Int8Array) => dot(space.of(a), space.of(b));

  it('tells texts apart whose vectors point nearly the same way', () => {
    const [dog, train] = chat;
    const asked = vectorOf('a young dog that somebody adopted');
    expect(cosine(asked, dog!)).toBeGreaterThan(cosine(asked, train!) + 0.15);
    expect(cosine(dog!, dog!)).toBeCloseTo(1);
    // On the average two texts of the scope have nothing in common but what all have.
    const mean = chat.slice(1).reduce((sum, other) => sum + cosine(dog!, other), 0) / (chat.length - 1);
    expect(Math.abs(mean)).toBeLessThan(0.15);
  });

  it('counts directions, not lengths, and is the same whatever the order of the texts', () => {
    const half = chat[0]!.map(value => value >> 1);
    expect(cosine(half, chat[0]!)).toBeGreaterThan(0.98);
    const reversed = centredSpace([...chat].reverse(), 256);
    for (const vector of chat) expect(reversed.of(vector)).toEqual(space.of(vector));
  });

  it('has nothing for an empty text or one without a vector', () => {
    const zeros = new Float32Array(256);
    expect(space.of(new Int8Array(256))).toEqual(zeros);
    expect(space.of(new Int8Array(0))).toEqual(zeros);
  });

  it('rests on chats in general where the scope has one text', () => {
    const alone = centredSpace([chat[0]!], 256);
    const asked = alone.of(vectorOf('a young dog that somebody adopted'));
    expect(dot(asked, alone.of(chat[0]!))).toBeGreaterThan(dot(asked, alone.of(chat[1]!)) + 0.1);
  });
});

describe('the cosine of a window', () => {
  it('hears a turn with those around it', () => {
    const { candidates } = scopeOf([
      [
        { role: 'Ann', text: 'I adopted a puppy last week.' },
        { role: 'Bob', text: 'That is great!' },
        { role: 'Ann', text: 'Nice weather here.' },
        { role: 'Bob', text: 'It was raining.' },
        { role: 'Ann', text: 'How was work?' },
        { role: 'Bob', text: 'That is great!' },
      ],
    ]);
    const space = centredSpace(chat, 256);
    const asked = space.of(vectorOf('a young dog that somebody adopted'));
    const [puppy, near, , , , far] = candidates.map(candidate => windowCosine(space, candidate, asked));
    expect(near).toBeGreaterThan(far! + 0.1);
    expect(puppy).toBeGreaterThan(near!);
  });
});
