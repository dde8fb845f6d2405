import { describe, expect, it } from 'vitest';
import { asksForPresent, asksForSeveral } from '../../../../../domain/ranking/present/asks-for-present.ts';

describe('asksForPresent', () => {
  it.each([
    ['Where does Ilse live these days?', true],
    ['Where does Ilse live?', true],
    ['Which horse does Xanthe ride in lessons?', false],
    ['When is Kalle moving out?', false],
    ['How much do I pay for parking?', false],
    // "Have got" is the present.
    ['Which tent have I got?', false],
    ['What has Ilse got on her desk?', false],
    // Habits.
    ['How do I take my cocoa?', false],
    ['How does Kalle get to the harbour?', false],
    ['Do I eat fish?', false],
    ['Is Ilse a member of the library?', false],
    // Singulars that end in s.
    ['Which bus do I take?', false],
    ['What address is the parcel for?', false],
    ["What's my glasses prescription?", false],
    ['Which tennis court do we play on?', false],
    // As people type.
    ["What's the name of my horse?", false],
    ['whos my vet', false],
    ['my shoe size?', false],
    ['locker number, mine', false],
    ['Which shelf should people leave the post on?', false],
  ])('is true of %s', (question, asksState) => {
    expect(asksForPresent(question, asksState)).toBe(true);
  });

  it.each([
    ['Where did Ilse live?', true],
    ['When was the wedding?', false],
    ['What has Ilse cooked?', false],
    ['Who has got married?', false],
    ['Who helped Ilse with the boat?', false],
    ['What made Ilse laugh?', true],
    ['Would Ilse still move to the island?', true],
    ['Which book should I read?', false],
    ['a trip to the island with everybody from the choir and their children last summer', false],
    ['What are the names of her dogs?', false],
    ['Which books does Ilse own?', false],
    ['Why does Ilse like the sea?', false],
    ['How does Ilse describe the island?', false],
    ['What does the lighthouse symbolize for Ilse?', false],
    ['What does Ilse know about the harbour?', false],
    ['Is Kalle coming to dinner?', false],
    ['Which course does Ilse take in August 2023?', false],
  ])('is false of %s', (question, asksState) => {
    expect(asksForPresent(question, asksState)).toBe(false);
  });
});

it('asksForSeveral tells a plural from a singular that ends in s', () => {
  expect(asksForSeveral('Which boats does Ilse own?')).toBe(true);
  expect(asksForSeveral('What are her hobbies?')).toBe(true);
  expect(asksForSeveral('Which bus does Ilse take?')).toBe(false);
  expect(asksForSeveral('Which boss does Ilse like?')).toBe(false);
});
